// SPDX-License-Identifier: BSD-3-Clause
// Writes SVG elements.
#include "tools/program/bench/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tools/program/bench/statistics.hpp"
#include "tools/program/page/markup.hpp"

namespace frond {
namespace {

constexpr double kLabelWidth = 190;
constexpr double kBarWidth = 440;
constexpr double kValueWidth = 170;
constexpr double kChartWidth = kLabelWidth + kBarWidth + kValueWidth;
constexpr double kBarHeight = 16;
constexpr double kBarPitch = 22;

constexpr double kPlotWidth = 520;
constexpr double kPlotHeight = 300;
constexpr double kMargin = 46;

// Colours distinguishable with any kind of colour vision (Okabe, Ito 2008), and black.
constexpr std::array<const char*, 8> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000", "#8c8c00"};

double length_of(const Bar& bar) { return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0); }

std::string text_element(double x, double y, const std::string& anchor, const std::string& text, bool is_emphasized = false) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>)"
                     "\n",
                     x, y, anchor, is_emphasized ? R"( font-weight="bold")" : "", escape_markup(text));
}

std::string line_element(double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="axis" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)"
                     "\n",
                     x1, y1, x2, y2);
}

std::string bar_elements(const Bar& bar, double y, double scale) {
  std::string elements = text_element(kLabelWidth - 8, y + 0.8 * kBarHeight, "end", bar.label, bar.is_emphasized);
  double x = kLabelWidth;
  for (std::size_t k = 0; k < bar.parts.size(); ++k) {
    const double width = scale * bar.parts[k];
    fmt::format_to(std::back_inserter(elements), R"(<rect class="part{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                   k, x, y, width, kBarHeight);
    x += width;
  }
  return elements + text_element(x + 6, y + 0.8 * kBarHeight, "start", bar.value, bar.is_emphasized);
}

// Bars below each other, the longest as wide as the chart.
std::string bars_elements(const std::vector<Bar>& bars) {
  double longest = 0;
  for (const Bar& bar : bars) {
    longest = std::max(longest, length_of(bar));
  }
  const double scale = longest > 0 ? kBarWidth / longest : 0;
  std::string elements;
  double y = 0;
  for (const Bar& bar : bars) {
    elements += bar_elements(bar, y, scale);
    y += kBarPitch;
  }
  return elements;
}

// The frame of a step chart and the labels of its axes.
class Plot {
 public:
  explicit Plot(double largest) : largest_(largest) {}

  [[nodiscard]] double x(double factor) const {
    return kMargin + kPlotWidth * std::log(std::min(factor, largest_)) / std::log(largest_);
  }
  [[nodiscard]] static double y(double fraction) { return kMargin + kPlotHeight * (1 - fraction); }

  [[nodiscard]] std::string axes() const {
    std::string elements = line_element(x(1), y(0), x(largest_), y(0)) + line_element(x(1), y(0), x(1), y(1));
    for (double factor = 1; factor <= largest_; factor *= 2) {
      elements += text_element(x(factor), y(0) + 18, "middle", fmt::format("{:g}", factor));
    }
    for (const double fraction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      elements += text_element(x(1) - 6, y(fraction) + 4, "end", fmt::format("{:.0f} %", 100 * fraction));
    }
    return elements;
  }

  [[nodiscard]] std::string points(const StepCurve& curve, std::size_t num_steps) const {
    std::string points;
    double fraction = 0;
    const auto add = [&](double factor) { fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", x(factor), y(fraction)); };
    add(1);
    for (const double step : curve.steps) {
      if (step <= largest_) {
        add(step);
        fraction = solved_fraction(curve.steps, num_steps, step);
        add(step);
      }
    }
    add(largest_);
    return points;
  }

 private:
  double largest_;
};

}  // namespace

std::string bar_chart(const std::vector<Bar>& bars) {
  return fmt::format("<svg role=\"img\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\">\n{}</svg>\n", kChartWidth,
                     kBarPitch * static_cast<double>(bars.size()), kChartWidth, bars_elements(bars));
}

std::string_view chart_styles() {
  return ".part0 { fill: #e69f00; } .part1 { fill: #0072b2; } .part2 { fill: #009e73; } .axis { stroke: #888; }\n";
}

std::string bar_chart_file(const std::vector<Bar>& bars, const std::vector<std::string>& parts) {
  constexpr double kKeyWidth = 150;
  constexpr double kTop = 1.5 * kBarPitch;
  std::string file = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kChartWidth, kTop + kBarPitch * static_cast<double>(bars.size()), chart_styles());
  double x = kLabelWidth;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    fmt::format_to(std::back_inserter(file), R"(<rect class="part{}" x="{:.1f}" y="8" width="12" height="12"/>)", k, x);
    file += text_element(x + 18, 18, "start", parts[k]);
    x += kKeyWidth;
  }
  return file + fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n</svg>\n", kTop, bars_elements(bars));
}

std::string step_chart(const std::vector<StepCurve>& curves, std::size_t num_steps, double largest) {
  const double width = kPlotWidth + 2 * kMargin + kLabelWidth;
  const Plot plot(largest);
  std::string elements =
      fmt::format("<svg role=\"img\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\">\n", width, kPlotHeight + 2 * kMargin, width) +
      plot.axes();
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const char* color = kColors[k % kColors.size()];
    const char* dashes = k < kColors.size() ? "" : " stroke-dasharray=\"6 4\"";
    const double y = kMargin + kBarPitch * static_cast<double>(k);
    const double x = kPlotWidth + kMargin + 20;
    fmt::format_to(std::back_inserter(elements),
                   "<polyline fill=\"none\" stroke=\"{0}\" stroke-width=\"{1}\"{2} points=\"{3}\"/>\n"
                   "<line stroke=\"{0}\" stroke-width=\"4\"{2} x1=\"{4:.1f}\" y1=\"{5:.1f}\" x2=\"{6:.1f}\" y2=\"{5:.1f}\"/>\n",
                   color, curves[k].is_emphasized ? 4 : 2, dashes, plot.points(curves[k], num_steps), x - 4, y + 2, x + 14);
    elements += text_element(x + 20, y + 7, "start", curves[k].label, curves[k].is_emphasized);
  }
  return elements + "</svg>\n";
}

}  // namespace frond
