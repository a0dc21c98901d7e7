// SPDX-License-Identifier: BSD-3-Clause
// Writes SVG elements.
#include "tools/program/bench/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "tools/program/bench/statistics.hpp"
#include "tools/program/page/chart_axis.hpp"
#include "tools/program/page/svg_elements.hpp"

namespace frond {
namespace {

constexpr double kLabelWidth = 190;
constexpr double kBarWidth = 440;
constexpr double kValueWidth = 170;
constexpr double kBarChartWidth = kLabelWidth + kBarWidth + kValueWidth;
constexpr double kBarHeight = 16;
constexpr double kBarPitch = 22;

constexpr double kPlotWidth = 520;
constexpr double kPlotHeight = 300;
constexpr double kPlotMargin = 46;

// Colours distinguishable with any kind of colour vision (Okabe, Ito 2008), and that of texts.
constexpr std::array<const char*, 8> kColors = {"#0072b2", "#d55e00", "#009e73",      "#cc79a7",
                                                "#e69f00", "#56b4e9", "currentColor", "#8c8c00"};

const char* style_of(bool is_emphasized) { return is_emphasized ? "strong" : ""; }

std::string bar_elements(const Bar& bar, double y, double scale) {
  const double base = y + 0.8 * kBarHeight;
  std::string elements = svg_text(kLabelWidth - 8, base, TextAnchor::end, bar.label, style_of(bar.is_emphasized));
  double x = kLabelWidth;
  for (std::size_t k = 0; k < bar.parts.size(); ++k) {
    const double width = scale * bar.parts[k];
    fmt::format_to(std::back_inserter(elements), R"(<rect class="part{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                   k, x, y, width, kBarHeight);
    x += width;
  }
  return elements + svg_text(x + 6, base, TextAnchor::start, bar.value, style_of(bar.is_emphasized));
}

// Bars below each other, the longest as wide as the chart.
std::string bars_elements(const std::vector<Bar>& bars) {
  double longest = 0;
  for (const Bar& bar : bars) {
    longest = std::max(longest, std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0));
  }
  std::string elements;
  double y = 0;
  for (const Bar& bar : bars) {
    elements += bar_elements(bar, y, longest > 0 ? kBarWidth / longest : 0);
    y += kBarPitch;
  }
  return elements;
}

std::string axes(const ChartAxis& factors, const ChartAxis& fractions) {
  std::string elements = svg_line("axis", factors.begin, fractions.begin, factors.end, fractions.begin) +
                         svg_line("axis", factors.begin, fractions.begin, factors.begin, fractions.end);
  for (double factor = 1; factor <= factors.largest; factor *= 2) {
    elements += svg_text(factors.at(factor), fractions.begin + 18, TextAnchor::middle, fmt::format("{:g}", factor));
  }
  for (const double fraction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    elements += svg_text(factors.begin - 6, fractions.at(fraction) + 4, TextAnchor::end, fmt::format("{:.0f} %", 100 * fraction));
  }
  return elements;
}

std::string points(const StepCurve& curve, std::size_t num_steps, const ChartAxis& factors, const ChartAxis& fractions) {
  std::string points;
  double fraction = 0;
  const auto add = [&](double factor) {
    fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", factors.at(factor), fractions.at(fraction));
  };
  add(1);
  for (const double step : curve.steps) {
    if (step <= factors.largest) {
      add(step);
      fraction = solved_fraction(curve.steps, num_steps, step);
      add(step);
    }
  }
  add(factors.largest);
  return points;
}

}  // namespace

std::string bar_chart(const std::vector<Bar>& bars) {
  return svg_drawing(kBarChartWidth, kBarPitch * static_cast<double>(bars.size()), "Times", bars_elements(bars));
}

std::string bar_chart_file(const std::vector<Bar>& bars, const std::vector<std::string>& parts) {
  constexpr double kKeyWidth = 150;
  constexpr double kTop = 1.5 * kBarPitch;
  std::string file = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<style>.part0 {{ fill: #e69f00; }} .part1 {{ fill: #0072b2; }} .part2 {{ fill: #009e73; }} "
      ".strong {{ font-weight: bold; }}\n</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kBarChartWidth, kTop + kBarPitch * static_cast<double>(bars.size()));
  double x = kLabelWidth;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    fmt::format_to(std::back_inserter(file), R"(<rect class="part{}" x="{:.1f}" y="8" width="12" height="12"/>)", k, x);
    file += svg_text(x + 18, 18, TextAnchor::start, parts[k]);
    x += kKeyWidth;
  }
  return file + fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n</svg>\n", kTop, bars_elements(bars));
}

std::string step_chart(const std::vector<StepCurve>& curves, std::size_t num_steps, double largest) {
  const ChartAxis factors{AxisScale::logarithmic, 1, largest, kPlotMargin, kPlotMargin + kPlotWidth, {}};
  const ChartAxis fractions{AxisScale::linear, 0, 1, kPlotMargin + kPlotHeight, kPlotMargin, {}};
  std::string elements = axes(factors, fractions);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const char* color = kColors[k % kColors.size()];
    const char* dashes = k < kColors.size() ? "" : " stroke-dasharray=\"6 4\"";
    const double y = kPlotMargin + kBarPitch * static_cast<double>(k);
    const double x = factors.end + 20;
    fmt::format_to(std::back_inserter(elements),
                   "<polyline fill=\"none\" stroke=\"{0}\" stroke-width=\"{1}\"{2} points=\"{3}\"/>\n"
                   "<line stroke=\"{0}\" stroke-width=\"4\"{2} x1=\"{4:.1f}\" y1=\"{5:.1f}\" x2=\"{6:.1f}\" y2=\"{5:.1f}\"/>\n",
                   color, curves[k].is_emphasized ? 4 : 2, dashes, points(curves[k], num_steps, factors, fractions), x - 4, y + 2,
                   x + 14);
    elements += svg_text(x + 20, y + 7, TextAnchor::start, curves[k].label, style_of(curves[k].is_emphasized));
  }
  return svg_drawing(factors.end + kPlotMargin + kLabelWidth, fractions.begin + kPlotMargin, "A performance profile", elements);
}

}  // namespace frond
