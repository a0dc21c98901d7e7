// SPDX-License-Identifier: BSD-3-Clause
// Writes the tables of runs.
#include "tools/simulation/page/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/markup.hpp"
#include "tools/simulation/page/line_chart.hpp"
#include "tools/simulation/page/sweep_comparison.hpp"

namespace frond {
namespace {

struct Column {
  std::string_view head;
  std::string_view unit;
  std::string_view explanation;
};

constexpr std::array<Column, 17> kColumns = {{
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

std::string head_cell(const Column& column) {
  return fmt::format("<th scope=\"col\"><button type=\"button\" title=\"{}\">{}{}</button></th>\n", column.explanation, column.head,
                     column.unit.empty() ? "" : fmt::format("<br/><small>{}</small>", column.unit));
}

std::string head_cells(std::size_t num_columns) {
  std::string cells;
  std::for_each(kColumns.begin(), kColumns.begin() + num_columns, [&](const Column& column) { cells += head_cell(column); });
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

std::string setting_cells(double num_ranks, const SweepSetting& setting, const SweepAxes& axes) {
  const auto exchange = std::find(axes.exchanges.begin(), axes.exchanges.end(), setting.exchange);
  return number_cell(num_ranks, format_count(num_ranks)) +
         text_cell(setting.exchange, curve_mark(static_cast<std::size_t>(exchange - axes.exchanges.begin()))) +
         text_cell(setting.schedule) + text_cell(setting.has_load_thread ? "on" : "off");
}

// True if no run on as many ranks has a lower value.
bool is_best(const Sweep& sweep, const SweepRun& run, RunFigure figure) {
  return std::none_of(sweep.runs.begin(), sweep.runs.end(),
                      [&](const SweepRun& other) { return other.num_ranks == run.num_ranks && other.*figure < run.*figure; });
}

std::string run_row(const Sweep& sweep, const SweepRun& run, const SweepAxes& axes) {
  const double busy_share = run.seconds > 0 ? run.mean_busy_seconds / run.seconds : 0;
  std::string cells = setting_cells(run.num_ranks, run.setting, axes);
  cells += number_cell(run.seconds, format_three_digits(run.seconds), is_best(sweep, run, &SweepRun::seconds));
  cells += number_cell(busy_share, fmt::format("{:.0f}", 100 * busy_share));
  cells += number_cell(run.load_imbalance, format_factor(run.load_imbalance));
  cells += number_cell(run.peak_active_entries, format_scaled(run.peak_active_entries),
                       is_best(sweep, run, &SweepRun::peak_active_entries));
  cells += number_cell(run.mean_peak_active_entries, format_scaled(run.mean_peak_active_entries));
  cells += number_cell(run.fullest_rank, format_count(run.fullest_rank));
  cells += number_cell(run.peak_bytes, format_scaled(run.peak_bytes));
  cells += number_cell(run.main_messages, format_count(run.main_messages));
  cells += number_cell(run.main_message_bytes, format_scaled(run.main_message_bytes));
  cells += number_cell(run.load_messages, format_count(run.load_messages), false, run.load_messages_by_type);
  cells += number_cell(run.load_message_bytes, format_scaled(run.load_message_bytes));
  cells += number_cell(run.num_slaves, fmt::format("{} / {}", format_count(run.num_slaves), format_count(run.num_decisions)));
  cells += number_cell(run.snapshot_seconds, format_three_digits(run.snapshot_seconds));
  return fmt::format("<tr{}>{}</tr>\n", &run == sweep.shown_run ? " class=\"shown\"" : "", cells);
}

}  // namespace

std::string run_table(const Sweep& sweep) {
  const SweepAxes axes = axes_of(sweep);
  std::string rows;
  for (const SweepRun& run : sweep.runs) {
    rows += run_row(sweep, run, axes);
  }
  return table("all", head_cells(kColumns.size()), rows);
}

std::string failed_run_table(const Sweep& sweep) {
  constexpr std::size_t kNumSettingColumns = 4;
  const SweepAxes axes = axes_of(sweep);
  std::string rows;
  for (const FailedSweepRun& run : sweep.failed_runs) {
    rows += "<tr>" + setting_cells(run.num_ranks, run.setting, axes) + text_cell(run.error) + "</tr>\n";
  }
  return rows.empty()
             ? ""
             : table("failed", head_cells(kNumSettingColumns) + head_cell({"error", "", "why there is no prediction"}), rows);
}

}  // namespace frond
