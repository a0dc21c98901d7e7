// SPDX-License-Identifier: BSD-3-Clause
// Writes the table of ratios.
#include "tools/simulation/page/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/markup.hpp"
#include "tools/simulation/page/line_chart.hpp"

namespace frond {
namespace {

// The runs on one number of ranks.
struct RankColumn {
  std::vector<const SweepRun*> runs;
  double least = 0;
};

RankColumn column_of(const Sweep& sweep, double num_ranks, RunFigure figure) {
  RankColumn column;
  for (const SweepRun& run : sweep.runs) {
    if (run.num_ranks == num_ranks) {
      column.least = column.runs.empty() ? run.*figure : std::min(column.least, run.*figure);
      column.runs.push_back(&run);
    }
  }
  return column;
}

bool has_setting(const SweepSetting& setting, const std::string& exchange, const ChartSetting& chart) {
  return setting.exchange == exchange && ChartSetting{setting.schedule, setting.has_load_thread} == chart;
}

std::string ratio_cell(double value, double least) {
  constexpr double kStrongestTint = 40;  // per cent; text is still readable on it
  if (value == least) {
    return "<td class=\"best\">1.00</td>";
  }
  if (least == 0) {
    return "<td>-</td>";
  }
  const double tint = std::min(kStrongestTint, 100 * (value / least - 1));
  return fmt::format("<td class=\"ratio\" style=\"--tint:{:.0f}%\">{}</td>", tint, format_factor(value / least));
}

std::string row_cells(const std::vector<RankColumn>& columns, const std::string& exchange, const ChartSetting& chart,
                      RunFigure figure) {
  std::string cells;
  for (const RankColumn& column : columns) {
    const auto run = std::find_if(column.runs.begin(), column.runs.end(),
                                  [&](const SweepRun* other) { return has_setting(other->setting, exchange, chart); });
    cells += run == column.runs.end() ? "<td class=\"absent\">-</td>" : ratio_cell((**run).*figure, column.least);
  }
  return cells;
}

}  // namespace

std::string comparison_table(const Sweep& sweep, const SweepAxes& axes, const ChartSetting& chart, RunFigure figure) {
  std::vector<RankColumn> columns;
  std::string head = "<th class=\"text\">over the best</th>";
  for (const double num_ranks : axes.num_ranks) {
    columns.push_back(column_of(sweep, num_ranks, figure));
    fmt::format_to(std::back_inserter(head), "<th scope=\"col\">{}</th>", format_count(num_ranks));
  }
  std::string rows;
  for (std::size_t k = 0; k < axes.exchanges.size(); ++k) {
    fmt::format_to(std::back_inserter(rows), "<tr><td class=\"text\">{} {}</td>{}</tr>\n", curve_mark(k),
                   escape_markup(axes.exchanges[k]), row_cells(columns, axes.exchanges[k], chart, figure));
  }
  return fmt::format(
      "<div class=\"wide\"><table class=\"comparison\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n", head,
      rows);
}

}  // namespace frond
