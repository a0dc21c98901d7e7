// SPDX-License-Identifier: BSD-3-Clause
// Draws curves.
#include "tools/simulation/page/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/program/page/svg_elements.hpp"

namespace frond {
namespace {

constexpr double kWidth = 540;
constexpr double kHeight = 304;
constexpr double kLeft = 62;
constexpr double kRight = kWidth - 18;
constexpr double kEndRoom = 22;  // between the frame and the first and the last number of ranks
constexpr std::size_t kNumStyles = 4;

// Marks of about the same area around (0, 0).
constexpr std::array<std::string_view, kNumStyles> kMarks = {R"(<circle r="4"/>)", R"(<path d="M-3.7-3.7h7.4v7.4h-7.4z"/>)",
                                                             R"(<path d="M0-5.2L5.2 0L0 5.2L-5.2 0z"/>)",
                                                             R"(<path d="M0-5L4.9 3.7h-9.8z"/>)"};

std::string mark(std::size_t style, double x, double y, const std::string& title) {
  return fmt::format("<g class=\"mark\" transform=\"translate({:.1f} {:.1f})\">{}{}</g>\n", x, y, kMarks[style % kNumStyles],
                     title);
}

// Positions of numbers of ranks, on a logarithmic scale.
class RankAxis {
 public:
  explicit RankAxis(const std::vector<double>& num_ranks) : num_ranks_(num_ranks) {
    axis_ = {AxisScale::logarithmic, num_ranks.front(), num_ranks.back(), kLeft + kEndRoom, kRight - kEndRoom, {}};
  }

  [[nodiscard]] bool is_single() const { return num_ranks_.size() == 1; }
  [[nodiscard]] double at(double num_ranks) const { return is_single() ? (kLeft + kRight) / 2 : axis_.at(num_ranks); }

  // Returns the numbers of ranks whose labels do not touch, always including the last one.
  [[nodiscard]] std::vector<double> labelled() const {
    constexpr double kDigitWidth = 7.5;
    std::vector<double> chosen;
    double free_end = kWidth;
    for (auto ranks = num_ranks_.rbegin(); ranks != num_ranks_.rend(); ++ranks) {
      const double half_width = kDigitWidth * (static_cast<double>(format_count(num_ranks_.back()).size()) + 1) / 2;
      if (at(*ranks) + half_width <= free_end) {
        chosen.push_back(*ranks);
        free_end = at(*ranks) - half_width;
      }
    }
    return chosen;
  }

 private:
  const std::vector<double>& num_ranks_;
  ChartAxis axis_;
};

std::string axis_title(const std::string& unit, AxisScale scale) {
  return scale == AxisScale::logarithmic ? unit + " (logarithmic)" : unit;
}

std::string frame(const LineChart& chart, const RankAxis& ranks, const ChartAxis& values) {
  std::string elements = svg_text(0, 14, TextAnchor::start, axis_title(chart.unit, values.scale), "axis-title");
  for (const double tick : values.ticks) {
    elements += svg_line("grid", kLeft, values.at(tick), kRight, values.at(tick));
    elements += svg_text(kLeft - 8, values.at(tick) + 4, TextAnchor::end, format_tick(tick));
  }
  elements += svg_line("axis", kLeft, values.begin, kRight, values.begin);
  for (const double num_ranks : chart.num_ranks) {
    elements += svg_line("axis", ranks.at(num_ranks), values.begin, ranks.at(num_ranks), values.begin + 5);
  }
  for (const double num_ranks : ranks.labelled()) {
    elements += svg_text(ranks.at(num_ranks), values.begin + 20, TextAnchor::middle, format_count(num_ranks));
  }
  return elements + svg_text(kRight, kHeight - 6, TextAnchor::end, "ranks", "axis-title");
}

// Draws values inversely proportional to the number of ranks, down to the bottom of the chart.
std::string guide(const LineChart& chart, const RankAxis& ranks, const ChartAxis& values) {
  const double product = chart.guide.num_ranks * chart.guide.value;
  if (product == 0 || values.scale == AxisScale::linear || ranks.is_single()) {
    return "";
  }
  const double last = std::min(chart.num_ranks.back(), product / values.least);
  return svg_line("guide", ranks.at(chart.guide.num_ranks), values.at(chart.guide.value), ranks.at(last),
                  values.at(product / last));
}

// Lines between the points of neighbouring numbers of ranks.
std::string curve_path(const LineChart& chart, const ChartCurve& curve, const RankAxis& ranks, const ChartAxis& values) {
  std::string path;
  bool is_connected = false;
  auto point = curve.points.begin();
  for (const double num_ranks : chart.num_ranks) {
    if (point == curve.points.end() || point->num_ranks != num_ranks) {
      is_connected = false;
      continue;
    }
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", is_connected ? "L" : "M", ranks.at(num_ranks),
                   values.at(point->value));
    is_connected = true;
    ++point;
  }
  return fmt::format("<path class=\"line\" d=\"{}\"/>\n", path);
}

// Returns how far the points of the k-th curve are from the middle if there is only one number of ranks.
double offset_of(std::size_t k, std::size_t num_curves) {
  const double width = (kRight - kLeft) / static_cast<double>(num_curves);
  return width * (static_cast<double>(k) + 0.5) - (kRight - kLeft) / 2;
}

std::string curve_elements(const LineChart& chart, std::size_t k, const RankAxis& ranks, const ChartAxis& values) {
  const ChartCurve& curve = chart.curves[k];
  std::string elements = fmt::format("<g class=\"curve{}\">\n", curve.style % kNumStyles);
  if (!ranks.is_single()) {
    elements += curve_path(chart, curve, ranks, values);
  }
  const double offset = ranks.is_single() ? offset_of(k, chart.curves.size()) : 0;
  for (const ChartPoint& point : curve.points) {
    const double x = ranks.at(point.num_ranks) + offset;
    elements +=
        mark(curve.style, x, values.at(point.value),
             svg_title(fmt::format("{}, {} ranks: {} {}", curve.label, format_count(point.num_ranks), point.text, chart.unit)));
    if (ranks.is_single()) {
      elements += svg_text(x, values.at(point.value) - 10, TextAnchor::middle, point.text);
    }
  }
  return elements + "</g>\n";
}

std::string curve_key(std::size_t style) {
  return fmt::format(
      R"(<svg class="key curve{}" viewBox="0 0 34 14" width="34" height="14"><path class="line" d="M0 7h34"/>{}</svg>)",
      style % kNumStyles, mark(style, 17, 7, ""));
}

}  // namespace

std::string line_chart(const LineChart& chart, const ChartAxis& value_axis) {
  const RankAxis ranks(chart.num_ranks);
  std::string elements = frame(chart, ranks, value_axis) + guide(chart, ranks, value_axis);
  for (std::size_t k = 0; k < chart.curves.size(); ++k) {
    elements += curve_elements(chart, k, ranks, value_axis);
  }
  return svg_drawing(kWidth, kHeight, chart.unit + " over numbers of ranks", elements);
}

std::string curve_mark(std::size_t style) {
  return fmt::format(R"(<svg class="key curve{}" viewBox="-7 -7 14 14" width="14" height="14">{}</svg>)", style % kNumStyles,
                     mark(style, 0, 0, ""));
}

std::string line_chart_legend(const std::vector<std::string>& labels, bool has_guide) {
  std::string items;
  for (std::size_t style = 0; style < labels.size(); ++style) {
    fmt::format_to(std::back_inserter(items), "<span>{} {}</span>\n", curve_key(style), escape_markup(labels[style]));
  }
  if (has_guide) {
    items +=
        "<span><svg class=\"key\" viewBox=\"0 0 34 14\" width=\"34\" height=\"14\"><path class=\"guide\" d=\"M0 7h34\"/></svg> in "
        "proportion to 1 / ranks</span>\n";
  }
  return "<p class=\"legend\">" + items + "</p>\n";
}

}  // namespace frond
