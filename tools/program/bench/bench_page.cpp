// SPDX-License-Identifier: BSD-3-Clause
// Writes the HTML page of a benchmark.
#include "tools/program/bench/bench_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/program/bench/bench_table.hpp"
#include "tools/program/bench/statistics.hpp"
#include "tools/program/bench/svg.hpp"
#include "tools/program/page/markup.hpp"

namespace frond {
namespace {

constexpr double kLargestFactor = 16;  // of the profiles' axes

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<title>frond bench</title>
<style>
body { font: 15px/1.45 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
svg { max-width: 100%; height: auto; font-size: 12px; }
table { border-collapse: collapse; } td, th { padding: 0.1em 0.7em; text-align: right; } td:first-child, th:first-child { text-align: left; }
.key { display: inline-block; width: 1em; height: 0.8em; margin: 0 0.3em 0 1em; } .analysis { background: #e69f00; }
.factor { background: #0072b2; } .solve { background: #009e73; } .absent { color: #777; font-size: 13px; }
)";

constexpr const char* kBody = R"(</style>
</head>
<body>
<h1>frond bench</h1>
)";

std::string cores(int count) { return fmt::format("{} core{}", count, count == 1 ? "" : "s"); }

std::string machine_paragraph(const BenchResults& results) {
  std::string text = fmt::format("<p>{} rounds; medians{}.", results.num_rounds,
                                 results.has_same_ordering ? "; all solvers with Frond's ordering" : "");
  for (const int count : core_counts(results)) {
    fmt::format_to(std::back_inserter(text), " On {}: DGEMM {} GFlop/s, memory {} GB/s.", cores(count),
                   format_figure(1e-9 * dgemm_rate(results, count), 1), format_figure(1e-9 * triad_rate(results, count), 1));
  }
  return text + (was_busy(results) ? " <b>Other programs were running: repeat this on a quiet machine.</b></p>\n" : "</p>\n");
}

std::string means_table(const BenchResults& results) {
  std::string text =
      "<h2>Frond over the best peer</h2>\n<p>Geometric means over all problems; the best peer on at most as many cores, each "
      "figure by "
      "itself. Below 1, Frond needs less.</p>\n<table>\n<tr><th></th><th>analysis</th><th>factorization</th><th>solve</th>"
      "<th>total</th><th>memory</th></tr>\n";
  for (const MeanRatios& mean : mean_ratios(results)) {
    fmt::format_to(std::back_inserter(text), "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                   escape_markup(mean.contestant), format_figure(mean.analysis, 2), format_figure(mean.factor, 2),
                   format_figure(mean.solve, 2), format_figure(mean.total, 2), format_figure(mean.peak_bytes, 2));
  }
  return text + "</table>\n";
}

std::string profile(const BenchResults& results, int num_cores) {
  const ProfileTimes times = profile_times(results, num_cores);
  const std::vector<std::vector<double>> ratios = performance_ratios(times.seconds);
  std::vector<StepCurve> curves;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    curves.push_back({times.programs[k], ratios[k], times.programs[k].starts_with("frond")});
  }
  const std::size_t num_problems = times.seconds.empty() ? 1 : times.seconds.front().size();
  return fmt::format("<h3>{}</h3>\n{}", cores(num_cores), step_chart(curves, num_problems, kLargestFactor));
}

std::string profiles(const BenchResults& results) {
  std::string text =
      "<h2>Performance profiles</h2>\n<p>How many of the problems a solver solves within a factor (horizontally) of the least time "
      "of "
      "all solvers. Time is what a user waits for: analysis, first factorization, one solve. The higher and the further left, the "
      "better.</p>\n";
  for (const int count : core_counts(results)) {
    text += profile(results, count);
  }
  return text;
}

std::string bar_value(const BenchResults& results, const BenchResult& result, const BenchEntry& entry, double total) {
  const double fraction = flop_rate(result, entry) / dgemm_rate(results, entry.contestant.num_cores());
  return fmt::format("{} s, {} % of DGEMM", format_seconds(total), format_figure(100 * fraction, 0));
}

std::string bars(const BenchResults& results, const BenchResult& result) {
  std::vector<std::pair<double, Bar>> bars;
  for (const BenchEntry& entry : result.entries) {
    if (entry.counts()) {
      const Medians medians = medians_of(entry);
      bars.emplace_back(medians.total, Bar{entry.contestant.label(),
                                           {medians.analysis, medians.first_factor, medians.solve},
                                           bar_value(results, result, entry, medians.total),
                                           entry.contestant.program.is_frond()});
    }
  }
  std::stable_sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Bar> sorted;
  std::transform(bars.begin(), bars.end(), std::back_inserter(sorted), [](auto& bar) { return std::move(bar.second); });
  return bar_chart(sorted);
}

std::string absent_solvers(const BenchResult& result) {
  std::string text;
  for (const BenchEntry& entry : result.entries) {
    if (!entry.error.empty()) {
      fmt::format_to(std::back_inserter(text), "<p class=\"absent\">{}: {}</p>\n", escape_markup(entry.contestant.label()),
                     escape_markup(entry.error));
    }
  }
  return text;
}

std::string problem_section(const BenchResults& results, const BenchResult& result) {
  if (!result.error.empty()) {
    return fmt::format("<h3>{}</h3>\n<p class=\"absent\">left out: {}</p>\n", escape_markup(result.problem),
                       escape_markup(result.error));
  }
  return fmt::format("<h3>{}</h3>\n<p>order {}, {} entries, {} {}, {:.2f} Gflop by Frond's ordering</p>\n{}{}",
                     escape_markup(result.problem), result.order, result.num_entries, result.is_complex ? "complex" : "real",
                     result.method, 1e-9 * result.flops, bars(results, result), absent_solvers(result));
}

std::string problem_sections(const BenchResults& results) {
  std::string text =
      "<h2>Problem by problem</h2>\n<p><span class=\"key analysis\"></span>analysis <span class=\"key factor\"></span>first "
      "factorization <span class=\"key solve\"></span>one solve. Rates are those of factorizations with "
      "warm memory, and count the flops of Frond's ordering for all.</p>\n";
  for (const BenchResult& result : results.problems) {
    text += problem_section(results, result);
  }
  return text;
}

std::string missing_paragraph(const std::vector<MissingPeer>& missing) {
  return missing.empty() ? "" : fmt::format("<p class=\"absent\">{}</p>\n", escape_markup(describe_missing(missing)));
}

}  // namespace

std::string bench_page(const BenchResults& results) {
  return kHead + std::string(chart_styles()) + kBody + machine_paragraph(results) + means_table(results) + profiles(results) +
         problem_sections(results) + missing_paragraph(results.missing) + "</body>\n</html>\n";
}

}  // namespace frond
