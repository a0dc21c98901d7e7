// SPDX-License-Identifier: BSD-3-Clause
// Draws timelines.
#include "tools/program/page/timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tools/program/page/chart_axis.hpp"
#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/svg_elements.hpp"
#include "tools/program/page/timeline_marks.hpp"

namespace frond {
namespace {

constexpr double kOccupationTop = 30;
constexpr double kOccupationBottom = 120;
constexpr double kRowsTop = 158;

constexpr std::size_t kMostTitledMarks = 3000;  // of about 150 bytes each
constexpr std::size_t kMostMarks = 50000;       // of about 9 bytes each: with the rest of the page less than a megabyte
constexpr double kTenths = 10;                  // paths use tenths of pixels

std::string role_style(Role role) { return fmt::format("role-{}", to_string(role)); }

// Places ranks and times.
struct Layout {
  ChartAxis time;
  double row_pitch;
  double row_height;
  double bottom;

  Layout(std::size_t num_ranks, double seconds) : time(linear_axis(seconds, 11, kChartLeft, kChartRight)) {
    constexpr double kRoomForRows = 560;
    constexpr double kHighestRow = 18;
    constexpr double kLeastWithGaps = 4;
    row_pitch = std::clamp(kRoomForRows / static_cast<double>(num_ranks), 1.0, kHighestRow);
    row_height = row_pitch < kLeastWithGaps ? row_pitch : 0.86 * row_pitch;
    bottom = kRowsTop + row_pitch * static_cast<double>(num_ranks);
  }

  [[nodiscard]] double row_top(std::size_t rank) const { return kRowsTop + row_pitch * static_cast<double>(rank); }
};

std::string time_grid(const Layout& layout) {
  std::string elements;
  for (const double tick : layout.time.ticks) {
    elements += svg_line("grid", layout.time.at(tick), kOccupationTop, layout.time.at(tick), kOccupationBottom);
    elements += svg_line("grid", layout.time.at(tick), kRowsTop, layout.time.at(tick), layout.bottom + 5);
    elements += svg_text(layout.time.at(tick), layout.bottom + 20, TextAnchor::middle, format_tick(tick));
  }
  return elements + svg_text(kChartRight, layout.bottom + 38, TextAnchor::end, "seconds", "axis-title");
}

// Returns the outline of one role's layer: right along its upper edge, back along its lower edge.
std::string layer(std::string_view style, const std::vector<double>& lower, const std::vector<double>& upper,
                  const ChartAxis& ranks) {
  const double width = (kChartRight - kChartLeft) / static_cast<double>(lower.size());
  std::string path = fmt::format("M{} {:.1f}", kChartLeft, ranks.at(lower.front()));
  const auto add = [&](const std::vector<double>& edge, std::size_t k, double side) {
    fmt::format_to(std::back_inserter(path), "V{:.1f}H{:.0f}", ranks.at(edge[k]),
                   kChartLeft + width * (static_cast<double>(k) + side));
  };
  for (std::size_t k = 0; k < upper.size(); ++k) {
    add(upper, k, 1);
  }
  for (std::size_t k = lower.size(); k-- > 0;) {
    add(lower, k, 0);
  }
  return fmt::format("<path class=\"{}\" d=\"{}z\"/>\n", style, path);
}

// Draws the number of working ranks, by role, subtrees at the bottom.
std::string occupation_elements(const Timeline& timeline, double seconds, const TimelineRows& named) {
  const auto num_steps = static_cast<std::size_t>((kChartRight - kChartLeft) / 2);
  const Occupation occupation = occupation_of(timeline, seconds, num_steps);
  const auto num_ranks = static_cast<double>(timeline.size());
  const ChartAxis ranks = linear_axis(num_ranks, 2, kOccupationBottom, kOccupationTop);
  std::string elements;
  std::vector<double> lower(num_steps, 0.0);
  for (std::size_t role = 0; role < kNumRoles; ++role) {
    std::vector<double> upper = lower;
    std::transform(lower.begin(), lower.end(), occupation[role].begin(), upper.begin(), std::plus<>());
    if (upper != lower) {
      elements += layer(role_style(static_cast<Role>(role)), lower, upper, ranks);
    }
    lower = std::move(upper);
  }
  for (const double count : {0.0, num_ranks}) {
    elements += svg_line("axis", kChartLeft, ranks.at(count), kChartRight, ranks.at(count));
    elements += svg_text(kChartLeft - 8, ranks.at(count) + 4, TextAnchor::end, format_count(count));
  }
  return svg_text(0, 14, TextAnchor::start, named.kind + "s at work", "axis-title") + elements;
}

std::string name_of(std::size_t row, const TimelineRows& named) {
  return row < named.names.size() ? named.names[row] : fmt::format("{} {}", named.kind, row);
}

std::string mark_text(const std::string& name, const TimelineMark& mark) {
  const std::string what = mark.num_spans > 1
                               ? fmt::format("{} short tasks, most of them as {}", mark.num_spans, to_string(mark.role))
                               : fmt::format("node {}, {}", mark.node, to_string(mark.role));
  return fmt::format("{}: {}, {:.4g} to {:.4g} s", name, what, mark.begin, mark.end);
}

std::string titled_row(std::size_t rank, const std::string& name, const std::vector<TimelineMark>& marks, const Layout& layout) {
  constexpr double kNarrowest = 0.1;  // tasks without flops take no time but must be visible
  std::string elements;
  for (const TimelineMark& mark : marks) {
    const double x = layout.time.at(mark.begin);
    fmt::format_to(std::back_inserter(elements),
                   R"(<rect class="mark {}" x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}">{}</rect>)", role_style(mark.role),
                   x, layout.row_top(rank), std::max(kNarrowest, layout.time.at(mark.end) - x), layout.row_height,
                   svg_title(mark_text(name, mark)));
    elements += '\n';
  }
  return elements;
}

double busy_seconds(const std::vector<TimelineMark>& marks) {
  return std::accumulate(marks.begin(), marks.end(), 0.0,
                         [](double sum, const TimelineMark& mark) { return sum + mark.end - mark.begin; });
}

// Draws a row of thick lines, one path for each role; each line is given by its distance from the end of the last one and its
// length.
std::string path_row(std::size_t rank, const std::string& name, const std::vector<TimelineMark>& marks, const Layout& layout) {
  std::string elements;
  for (std::size_t role = 0; role < kNumRoles; ++role) {
    std::string path;
    long pen = 0;
    for (const TimelineMark& mark : marks) {
      const long begin = std::lround(kTenths * layout.time.at(mark.begin));
      const long end = std::max(begin + 1, std::lround(kTenths * layout.time.at(mark.end)));
      if (mark.role == static_cast<Role>(role)) {
        fmt::format_to(std::back_inserter(path), "m{} 0h{}", begin - pen, end - begin);
        pen = end;
      }
    }
    if (!path.empty()) {
      fmt::format_to(std::back_inserter(elements), "<path class=\"run-{}\" d=\"M0 {:.1f}{}\"/>\n",
                     to_string(static_cast<Role>(role)), layout.row_top(rank) + layout.row_height / 2, path);
    }
  }
  const double share = busy_seconds(marks) / layout.time.largest;
  return fmt::format("<g>{}{}</g>\n", svg_title(fmt::format("{}, at work for {:.0f} % of the time", name, 100 * share)), elements);
}

std::string rows(const Timeline& timeline, const Layout& layout, double seconds, const TimelineRows& named) {
  const double half_pixel = seconds / (kChartRight - kChartLeft) / 2;
  const std::vector<std::vector<TimelineMark>> marks = timeline_marks(timeline, half_pixel, kMostMarks);
  const std::size_t num_marks = std::accumulate(marks.begin(), marks.end(), std::size_t{0},
                                                [](std::size_t sum, const auto& rank) { return sum + rank.size(); });
  const double overlap = layout.row_height < layout.row_pitch ? 0 : 0.4;  // closes seams between pixels of chart and screen
  const bool is_titled = num_marks <= kMostTitledMarks;
  std::string elements;
  for (std::size_t rank = 0; rank < marks.size(); ++rank) {
    const std::string name = name_of(rank, named);
    elements += is_titled ? titled_row(rank, name, marks[rank], layout) : path_row(rank, name, marks[rank], layout);
  }
  return is_titled ? "<g class=\"marks\">\n" + elements + "</g>\n"
                   : fmt::format("<g class=\"runs\" transform=\"scale({} 1)\" stroke-width=\"{:.2f}\">\n{}</g>\n", 1 / kTenths,
                                 layout.row_height + overlap, elements);
}

std::string rank_labels(std::size_t num_ranks, const Layout& layout, const TimelineRows& named) {
  constexpr double kLineHeight = 13;
  const double distance = layout.row_pitch >= kLineHeight ? kLineHeight : 2 * kLineHeight;
  const int most = static_cast<int>((layout.bottom - kRowsTop) / distance) + 1;
  std::string elements = svg_text(0, kRowsTop - 14, TextAnchor::start, named.kind, "axis-title");
  for (const double rank : linear_ticks(static_cast<double>(num_ranks) - 1, most)) {
    if (rank == std::floor(rank)) {
      const double middle = layout.row_top(static_cast<std::size_t>(rank)) + layout.row_height / 2;
      elements += svg_text(kChartLeft - 8, middle + 4, TextAnchor::end, format_count(rank));
    }
  }
  return elements;
}

}  // namespace

std::string timeline_chart(const Timeline& timeline, double seconds, const TimelineRows& named) {
  const Layout layout(timeline.size(), seconds);
  const std::string background = fmt::format(R"(<rect class="idle" x="{}" y="{}" width="{}" height="{:.1f}"/>)"
                                             "\n",
                                             kChartLeft, kRowsTop, kChartRight - kChartLeft, layout.bottom - kRowsTop);
  return svg_drawing(kChartWidth, layout.bottom + 44, "What every " + named.kind + " does at every time",
                     background + time_grid(layout) + occupation_elements(timeline, seconds, named) +
                         rank_labels(timeline.size(), layout, named) + rows(timeline, layout, seconds, named));
}

std::string timeline_legend(const Timeline& timeline, double seconds) {
  const Occupation occupation = occupation_of(timeline, seconds, 1);
  double idle = 1;
  std::string items;
  for (std::size_t role = 0; role < kNumRoles; ++role) {
    const double share = occupation[role].front() / static_cast<double>(timeline.size());
    idle -= share;
    fmt::format_to(std::back_inserter(items), "<span><i class=\"swatch {}\"></i> {} <b>{:.1f} %</b></span>\n",
                   role_style(static_cast<Role>(role)), describe(static_cast<Role>(role)), 100 * share);
  }
  return fmt::format("<p class=\"legend\">{}<span><i class=\"swatch idle\"></i> idle <b>{:.1f} %</b></span></p>\n", items,
                     100 * std::max(idle, 0.0));
}

}  // namespace frond
