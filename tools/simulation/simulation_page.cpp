// SPDX-License-Identifier: BSD-3-Clause
// Assembles charts and tables.
#include "tools/simulation/simulation_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/program/page/timeline_chart.hpp"
#include "tools/program/page/tree_chart.hpp"
#include "tools/simulation/page/line_chart.hpp"
#include "tools/simulation/page/run_table.hpp"

namespace frond {
namespace {

std::string format_entries(double value) { return format_scaled(value); }

// The content of a section of line charts.
struct ChartSubject {
  std::string_view heading;
  std::string_view explanation;
  std::string unit;
  RunFigure figure;
  FigureFormat format;
  ChartAxis (*axis)(std::span<const double> values, double begin, double end);
  bool has_guide;
};

std::vector<ChartSubject> chart_subjects() {
  return {{"Time", "Predicted time of the factorization.", "seconds", kSeconds, format_three_digits, suitable_axis, true},
          {"Memory", "Peak of active memory (contribution blocks, workspaces, rows on their way) on the rank that has the highest.",
           "entries", kActivePeak, format_entries, suitable_axis, true},
          {"Load messages", "Messages sent so that ranks know each other's load.", "messages", "load_messages", format_count,
           logarithmic_axis, false}};
}

std::string method_name(const std::string& method) {
  if (method == "cholesky") {
    return "Cholesky";
  }
  return method == "ldlt" ? "LDLᵀ" : method == "ldlh" ? "LDLᴴ" : method == "lu" ? "LU" : method;
}

std::string ranks_text(const SweepAxes& axes) {
  return axes.num_ranks.size() == 1
             ? plural(axes.num_ranks.front(), "rank")
             : fmt::format("{} to {} ranks", format_count(axes.num_ranks.front()), format_count(axes.num_ranks.back()));
}

std::string headline(const Sweep& sweep, const SweepAxes& axes) {
  std::vector<std::string> facts = {"order " + format_count(sweep.order), format_count(sweep.num_entries) + " entries",
                                    method_name(sweep.method), plural(static_cast<double>(sweep.runs.size()), "run")};
  if (!axes.num_ranks.empty()) {
    facts.push_back(ranks_text(axes));
  }
  if (!sweep.failed_runs.empty()) {
    facts.push_back(fmt::format("{} failed", sweep.failed_runs.size()));
  }
  return page_header("frond simulate: a predicted factorization", sweep.matrix, facts);
}

std::string run_text(const SweepRun& run) { return fmt::format("{}: {}", plural(run.num_ranks, "rank"), describe(run.setting)); }

std::string memory_text(const SweepRun& run) {
  return fmt::format(" With its factors a rank needs up to {}.", format_scaled(run["peak_bytes_max"], "B"));
}

std::string only_run_cards(const SweepRun& run) {
  return card("time", "Time", format_duration(run[kSeconds]), "predicted", run_text(run) + ".") +
         card("memory", "Memory on a rank", format_scaled(run[kActivePeak]), "entries active at the peak",
              fmt::format("That is rank {}.", format_count(run["peak_active_rank"])) + memory_text(run));
}

// Shows the best runs in time and in memory, and what each costs in the other.
std::string best_cards(const Sweep& sweep) {
  const SweepRun& fastest = best_run(sweep, kSeconds);
  const SweepRun& leanest = best_run(sweep, kActivePeak);
  std::string fastest_cost = ". No run takes less memory.";
  std::string leanest_cost = ". No run is faster.";
  if (&fastest != &leanest && leanest[kActivePeak] > 0 && fastest[kSeconds] > 0) {
    fastest_cost = fmt::format(". It takes {} times as much active memory as the leanest.",
                               format_factor(fastest[kActivePeak] / leanest[kActivePeak]));
    leanest_cost = fmt::format(". It takes {} times as long as the fastest.", format_factor(leanest[kSeconds] / fastest[kSeconds]));
  }
  return card("time", "Fastest", format_duration(fastest[kSeconds]), "predicted", run_text(fastest) + fastest_cost) +
         card("memory", "Least memory on a rank", format_scaled(leanest[kActivePeak]), "entries active at the peak",
              run_text(leanest) + leanest_cost + memory_text(leanest));
}

std::string cards(const Sweep& sweep) {
  return "<div class=\"cards\">\n" + (sweep.runs.size() == 1 ? only_run_cards(sweep.runs.front()) : best_cards(sweep)) + "</div>\n";
}

ChartCurve curve_of(const Sweep& sweep, const ChartSubject& subject, const ChartSetting& setting, const std::string& exchange,
                    std::size_t style) {
  ChartCurve curve{exchange, style, {}};
  for (const SweepRun& run : sweep.runs) {
    if (run.setting.exchange == exchange && ChartSetting{run.setting.schedule, run.setting.has_load_thread} == setting) {
      curve.points.push_back({run.num_ranks, run[subject.figure], subject.format(run[subject.figure])});
    }
  }
  std::stable_sort(curve.points.begin(), curve.points.end(),
                   [](const ChartPoint& left, const ChartPoint& right) { return left.num_ranks < right.num_ranks; });
  return curve;
}

// Returns the best value on the fewest ranks.
ChartPoint guide_of(const Sweep& sweep, const SweepAxes& axes, const ChartSubject& subject) {
  ChartPoint guide;
  for (const SweepRun& run : sweep.runs) {
    if (subject.has_guide && run.num_ranks == axes.num_ranks.front() &&
        (guide.num_ranks == 0 || run[subject.figure] < guide.value)) {
      guide = {run.num_ranks, run[subject.figure], ""};
    }
  }
  return guide;
}

// True if there is more than one configuration for a number of ranks.
bool has_choice(const SweepAxes& axes) { return axes.exchanges.size() * axes.charts.size() > 1; }

std::string chart_figure(const Sweep& sweep, const SweepAxes& axes, const ChartSubject& subject, const ChartSetting& setting,
                         const ChartAxis& value_axis) {
  LineChart chart{subject.unit, axes.num_ranks, {}, guide_of(sweep, axes, subject)};
  for (std::size_t k = 0; k < axes.exchanges.size(); ++k) {
    chart.curves.push_back(curve_of(sweep, subject, setting, axes.exchanges[k], k));
  }
  const std::string caption = describe(setting, axes);
  return "<figure>" + (caption.empty() ? "" : "<figcaption>" + escape_markup(caption) + "</figcaption>\n") +
         line_chart(chart, value_axis) + (has_choice(axes) ? comparison_table(sweep, axes, setting, subject.figure) : "") +
         "</figure>\n";
}

// Draws a chart for each schedule and setting of the load thread, all with the same axes.
std::string chart_section(const Sweep& sweep, const SweepAxes& axes, const ChartSubject& subject) {
  std::vector<double> values;
  std::transform(sweep.runs.begin(), sweep.runs.end(), std::back_inserter(values),
                 [&](const SweepRun& run) { return run[subject.figure]; });
  const ChartAxis value_axis = subject.axis(values, kLineChartBottom, kLineChartTop);
  std::string figures;
  for (const ChartSetting& setting : axes.charts) {
    figures += chart_figure(sweep, axes, subject, setting, value_axis);
  }
  const bool has_guide = subject.has_guide && axes.num_ranks.size() > 1 && value_axis.scale == AxisScale::logarithmic;
  const std::string note =
      has_choice(axes) ? "<p class=\"note\">Small tables: how many times the least of all runs on as many ranks.</p>\n" : "";
  return fmt::format("<section class=\"charts\">\n<h2>{}</h2>\n<p>{} {}</p>\n{}<div class=\"{}\">\n{}</div>\n{}</section>\n",
                     subject.heading, subject.explanation, describe_spread(sweep, subject.figure, subject.format, subject.unit),
                     line_chart_legend(axes.exchanges, has_guide), axes.charts.size() > 1 ? "panels" : "single panel", figures,
                     note);
}

std::string table_section(const Sweep& sweep) {
  return section("all-runs", "All runs", "A click on a head sorts by its column. Tinted: the best on as many ranks.",
                 run_table(sweep));
}

std::string failed_section(const Sweep& sweep) {
  return sweep.failed_runs.empty()
             ? ""
             : "<section class=\"failed-runs\">\n<h2>Runs without prediction</h2>\n" + failed_run_table(sweep) + "</section>\n";
}

double end_of(const Sweep& sweep) {
  double seconds = (*sweep.shown_run)[kSeconds];
  for (const std::vector<TimelineSpan>& spans : sweep.timeline) {
    seconds = spans.empty() ? seconds : std::max(seconds, spans.back().end);
  }
  return seconds;
}

std::string timeline_section(const Sweep& sweep) {
  if (sweep.shown_run == nullptr || sweep.timeline.empty() || end_of(sweep) <= 0) {
    return "";
  }
  const double seconds = end_of(sweep);
  return section(
      "timeline", "What the ranks do when",
      fmt::format("The run on {}. The most active memory, {} entries, is on rank {}.", escape_markup(run_text(*sweep.shown_run)),
                  format_scaled((*sweep.shown_run)[kActivePeak]), format_count((*sweep.shown_run)["peak_active_rank"])),
      timeline_legend(sweep.timeline, seconds) + wide_chart(timeline_chart(sweep.timeline, seconds)));
}

std::string tree_section(const Sweep& sweep) {
  return sweep.shown_run == nullptr || sweep.tree.empty()
             ? ""
             : tree_section("The assembly tree on " + plural(sweep.shown_run->num_ranks, "rank"), sweep.tree);
}

std::string content(const Sweep& sweep) {
  const SweepAxes axes = axes_of(sweep);
  std::string text = headline(sweep, axes);
  if (sweep.runs.empty()) {
    return text + "<section><h2>No run has come to its end</h2>\n<p>There is nothing to compare.</p></section>\n" +
           failed_section(sweep);
  }
  text += cards(sweep);
  for (const ChartSubject& subject : chart_subjects()) {
    text += chart_section(sweep, axes, subject);
  }
  return text + timeline_section(sweep) + tree_section(sweep) + table_section(sweep) + failed_section(sweep);
}

}  // namespace

std::string simulation_page(const nlohmann::ordered_json& json, ShownRun shown) {
  const Sweep sweep = read_sweep(json, std::move(shown));
  return whole_page(sweep.matrix + ": frond simulate", content(sweep));
}

}  // namespace frond
