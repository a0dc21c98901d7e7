// SPDX-License-Identifier: BSD-3-Clause
// Writes the tables of runs and of ratios.
#include "tools/simulation/page/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/simulation/page/line_chart.hpp"

namespace frond {
namespace {

struct TableColumn {
  std::string_view head;
  std::string_view unit;
  std::string_view explanation;
};

constexpr std::array<TableColumn, 17> kTableColumns = {{
    {"ranks", "", "processes"},
    {"mechanism", "", "how ranks know each other's load"},
    {"schedule", "", "what dynamic decisions balance"},
    {"load<br/>thread", "", "whether load messages are served while a rank computes"},
    {"time", "s", "predicted, until the last rank has ended"},
    {"at<br/>work", "%", "of the time, ranks compute on average"},
    {"imbalance", "", "busy seconds of the busiest rank over their mean"},
    {"active<br/>peak", "entries", "highest active memory of a rank"},
    {"mean<br/>peak", "entries", "highest active memory of a rank, mean over ranks"},
    {"on<br/>rank", "", "the rank with the highest active memory"},
    {"peak with<br/>factors", "B", "highest memory of a rank, factors included"},
    {"messages", "", "of the factorization"},
    {"sent", "B", "for the factorization"},
    {"load<br/>messages", "", "about load"},
    {"sent", "B", "about load"},
    {"slaves /<br/>decisions", "", "slaves chosen in dynamic decisions, and how many of these there were"},
    {"snapshot<br/>waits", "s", "ranks waited for snapshots, all together"},
}};

std::string head_cell(const TableColumn& column) {
  return fmt::format("<th scope=\"col\"><button type=\"button\" title=\"{}\">{}{}</button></th>\n", column.explanation, column.head,
                     column.unit.empty() ? "" : fmt::format("<br/><small>{}</small>", column.unit));
}

std::string head_cells(std::size_t num_columns) {
  std::string cells;
  std::for_each(kTableColumns.begin(), kTableColumns.begin() + num_columns,
                [&](const TableColumn& column) { cells += head_cell(column); });
  return cells;
}

std::string table(std::string_view style, const std::string& head, const std::string& rows) {
  return fmt::format(
      "<div class=\"wide table\"><table class=\"sortable {}\">\n<thead><tr>\n{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      style, head, rows);
}

// `value` is the sort key of the column.
std::string number_cell(double value, const std::string& text, bool is_best = false, const std::string& title = "") {
  return fmt::format("<td data-value=\"{:.9g}\"{}{}>{}</td>", value, is_best ? " class=\"best\"" : "",
                     title.empty() ? "" : fmt::format(" title=\"{}\"", escape_markup(title)), text);
}

std::string text_cell(const std::string& text, const std::string& key = "") {
  return fmt::format("<td class=\"text\">{}{}</td>", key, escape_markup(text));
}

std::string setting_cells(const SweepRun& run, const SweepAxes& axes) {
  const SweepSetting& setting = run.setting;
  const auto exchange = std::find(axes.exchanges.begin(), axes.exchanges.end(), setting.exchange);
  return number_cell(run.num_ranks, format_count(run.num_ranks)) +
         text_cell(setting.exchange, curve_mark(static_cast<std::size_t>(exchange - axes.exchanges.begin()))) +
         text_cell(setting.schedule) + text_cell(setting.has_load_thread ? "on" : "off");
}

// True if no run on as many ranks has a lower value.
bool is_best(const Sweep& sweep, const SweepRun& run, RunFigure figure) {
  return std::none_of(sweep.runs.begin(), sweep.runs.end(),
                      [&](const SweepRun& other) { return other.num_ranks == run.num_ranks && other[figure] < run[figure]; });
}

std::string messages_by_type(const SweepRun& run) {
  std::string types;
  if (const auto found = run.record.find("load_messages_by_type"); found != run.record.end() && found->is_object()) {
    for (const auto& [type, count] : found->items()) {
      types += fmt::format("{}{} {}", types.empty() ? "" : ", ", type, count.dump());
    }
  }
  return types;
}

std::string run_row(const Sweep& sweep, const SweepRun& run, const SweepAxes& axes) {
  const auto format_amount = [](double value) { return format_scaled(value); };
  const auto cell = [&run](RunFigure figure, FigureFormat format, bool is_best = false, const std::string& title = "") {
    return number_cell(run[figure], format(run[figure]), is_best, title);
  };
  const double busy_share = run[kSeconds] > 0 ? run["busy_seconds_mean"] / run[kSeconds] : 0;
  std::string cells = setting_cells(run, axes);
  cells += cell(kSeconds, format_three_digits, is_best(sweep, run, kSeconds));
  cells += number_cell(busy_share, fmt::format("{:.0f}", 100 * busy_share));
  cells += cell("load_imbalance", format_factor);
  cells += cell(kActivePeak, format_amount, is_best(sweep, run, kActivePeak));
  cells += cell("peak_active_entries_mean", format_amount);
  cells += cell("peak_active_rank", format_count);
  cells += cell("peak_bytes_max", format_amount);
  cells += cell("main_messages", format_count);
  cells += cell("main_message_bytes", format_amount);
  cells += cell("load_messages", format_count, false, messages_by_type(run));
  cells += cell("load_message_bytes", format_amount);
  cells += number_cell(run["slaves_chosen"], format_count(run["slaves_chosen"]) + " / " + format_count(run["dynamic_decisions"]));
  cells += cell("snapshot_seconds", format_three_digits);
  return fmt::format("<tr{}>{}</tr>\n", &run == sweep.shown_run ? " class=\"shown\"" : "", cells);
}

// The runs on one number of ranks.
struct RankColumn {
  std::vector<const SweepRun*> runs;
  double least = 0;
};

RankColumn column_of(const Sweep& sweep, double num_ranks, RunFigure figure) {
  RankColumn column;
  for (const SweepRun& run : sweep.runs) {
    if (run.num_ranks == num_ranks) {
      column.least = column.runs.empty() ? run[figure] : std::min(column.least, run[figure]);
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
    cells += run == column.runs.end() ? "<td class=\"absent\">-</td>" : ratio_cell((**run)[figure], column.least);
  }
  return cells;
}

}  // namespace

std::string run_table(const Sweep& sweep) {
  const SweepAxes axes = axes_of(sweep);
  std::string rows;
  for (const SweepRun& run : sweep.runs) {
    rows += run_row(sweep, run, axes);
  }
  return table("all", head_cells(kTableColumns.size()), rows);
}

std::string failed_run_table(const Sweep& sweep) {
  constexpr std::size_t kNumSettingColumns = 4;
  const SweepAxes axes = axes_of(sweep);
  std::string rows;
  for (const SweepRun& run : sweep.failed_runs) {
    rows += "<tr>" + setting_cells(run, axes) + text_cell(run.text("error")) + "</tr>\n";
  }
  return rows.empty()
             ? ""
             : table("failed", head_cells(kNumSettingColumns) + head_cell({"error", "", "why there is no prediction"}), rows);
}

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
