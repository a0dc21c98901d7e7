// SPDX-License-Identifier: BSD-3-Clause
// Draws bars and steps over time.
#include "tools/program/page/time_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "tools/program/page/chart_axis.hpp"
#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/program/page/svg_elements.hpp"

namespace frond {
namespace {

constexpr std::size_t kNumStyles = 6;

std::string grid(const ChartAxis& time, double top, double bottom) {
  std::string elements;
  for (const double tick : time.ticks) {
    elements += svg_line("grid", time.at(tick), top, time.at(tick), bottom);
    elements += svg_text(time.at(tick), bottom + 16, TextAnchor::middle, format_tick(tick));
  }
  return elements + svg_text(kChartRight, bottom + 34, TextAnchor::end, "seconds", "axis-title");
}

std::string style_of(std::size_t k) { return fmt::format("phase{}", k % kNumStyles); }

// Draws right along each value, then straight to the next. Of points within half a pixel, draws the highest and then the last.
std::string steps(const std::vector<MemoryPoint>& points, const ChartAxis& time, const ChartAxis& bytes, double seconds) {
  constexpr double kLeastStep = 0.5;
  const auto x_of = [&](std::size_t k) { return time.at(std::clamp(points[k].seconds, 0.0, seconds)); };
  std::string path;
  for (std::size_t k = 0; k < points.size();) {
    const double x = x_of(k);
    double highest = points[k].bytes;
    std::size_t end = k + 1;
    for (; end < points.size() && x_of(end) - x < kLeastStep; ++end) {
      highest = std::max(highest, points[end].bytes);
    }
    path +=
        path.empty() ? fmt::format("M{:.1f} {:.1f}", x, bytes.at(highest)) : fmt::format("H{:.1f}V{:.1f}", x, bytes.at(highest));
    if (points[end - 1].bytes < highest) {
      path += fmt::format("V{:.1f}", bytes.at(points[end - 1].bytes));
    }
    k = end;
  }
  return path.empty() ? path : path + fmt::format("H{:.1f}", time.at(seconds));
}

}  // namespace

std::string phase_chart(const std::vector<PagePhase>& phases, double seconds) {
  constexpr double kTop = 8;
  constexpr double kHeight = 34;
  const ChartAxis time = linear_axis(seconds, 11, kChartLeft, kChartRight);
  std::string elements = fmt::format(R"(<rect class="idle" x="{}" y="{}" width="{}" height="{}"/>)", kChartLeft, kTop,
                                     kChartRight - kChartLeft, kHeight);
  elements += grid(time, kTop, kTop + kHeight + 6);
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const double x = time.at(phases[k].begin);
    fmt::format_to(std::back_inserter(elements), R"(<rect class="mark {}" x="{:.1f}" y="{}" width="{:.1f}" height="{}">{}</rect>)",
                   style_of(k), x, kTop, std::max(0.5, time.at(phases[k].end) - x), kHeight,
                   svg_title(fmt::format("{}: {:.4g} to {:.4g} s", phases[k].name, phases[k].begin, phases[k].end)));
    elements += '\n';
  }
  return svg_drawing(kChartWidth, kTop + kHeight + 46, "The phases of the run", elements);
}

std::string phase_legend(const std::vector<PagePhase>& phases) {
  std::string items;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    fmt::format_to(std::back_inserter(items), "<span><i class=\"swatch {}\"></i> {} <b>{}</b></span>\n", style_of(k),
                   escape_markup(phases[k].name), format_duration(phases[k].end - phases[k].begin));
  }
  return "<p class=\"legend\">" + items + "</p>\n";
}

std::string memory_chart(const MemoryCurves& memory, double seconds, double predicted) {
  constexpr double kTop = 34;
  constexpr double kBottom = 240;
  double largest = predicted;
  for (const std::vector<MemoryPoint>& points : memory) {
    for (const MemoryPoint& point : points) {
      largest = std::max(largest, point.bytes);
    }
  }
  const ChartAxis time = linear_axis(seconds, 11, kChartLeft, kChartRight);
  const ChartAxis bytes = linear_axis(std::max(largest, 1.0), 5, kBottom, kTop);
  std::string elements = grid(time, kTop, kBottom);
  for (const double tick : bytes.ticks) {
    elements += svg_line("grid", kChartLeft, bytes.at(tick), kChartRight, bytes.at(tick));
    elements += svg_text(kChartLeft - 8, bytes.at(tick) + 4, TextAnchor::end, format_tick(tick));
  }
  elements += svg_text(0, 14, TextAnchor::start, "bytes", "axis-title");
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    fmt::format_to(std::back_inserter(elements), "<g class=\"phase{}\"><path class=\"memory-line\" d=\"{}\"/>{}</g>\n",
                   rank % kNumStyles, steps(memory[rank], time, bytes, seconds), svg_title(fmt::format("rank {}", rank)));
  }
  if (predicted > 0) {
    elements += svg_line("predicted", kChartLeft, bytes.at(predicted), kChartRight, bytes.at(predicted));
    elements += svg_text(kChartRight, 14, TextAnchor::end, "predicted " + format_scaled(predicted, "B"), "axis-title");
  }
  return svg_drawing(kChartWidth, kBottom + 46, "Memory of the factorization over time", elements);
}

}  // namespace frond
