// SPDX-License-Identifier: BSD-3-Clause
// Writes the HTML page of a benchmark, and its picture.
#include "tools/program/bench/bench_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/program/bench/bench_table.hpp"
#include "tools/program/bench/statistics.hpp"
#include "tools/program/bench/svg.hpp"
#include "tools/program/page/page_parts.hpp"

namespace frond {
namespace {

constexpr double kLargestFactor = 16;  // of the profiles' axes

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
  return std::string(
             "<h2>Frond over the best peer</h2>\n<p>Geometric means over all problems; the best peer on at most as many cores, "
             "each "
             "figure by itself. Below 1, Frond needs less.</p>\n<table>\n<tr><th></th><th>analysis</th><th>factorization</th>"
             "<th>solve</th><th>total</th><th>memory</th>") +
         (results.num_again == 0 ? "" : "<th>again</th>") + "</tr>\n" +
         mean_lines(results, "<tr><td class=\"text\">{}</td>", "<td>{}</td>", "</tr>\n") + "</table>\n";
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
      "<h2>Problem by problem</h2>\n<p><i class=\"swatch part0\"></i> analysis <i class=\"swatch part1\"></i> first "
      "factorization <i class=\"swatch part2\"></i> one solve. Rates are those of factorizations with "
      "warm memory, and count the flops of Frond's ordering for all.</p>\n";
  for (const BenchResult& result : results.problems) {
    text += problem_section(results, result);
  }
  return text;
}

std::string missing_paragraph(const std::vector<MissingPeer>& missing) {
  return missing.empty() ? "" : fmt::format("<p class=\"absent\">{}</p>\n", escape_markup(describe_missing(missing)));
}

// Returns the entry of Frond or of its peers with the least total time on at most `num_cores` cores; null if there is none.
const BenchEntry* fastest(const BenchResult& result, int num_cores, bool is_frond) {
  const BenchEntry* best = nullptr;
  for (const BenchEntry& entry : result.entries) {
    const bool takes_part =
        entry.counts() && entry.contestant.program.is_frond() == is_frond && entry.contestant.num_cores() <= num_cores;
    if (takes_part && (best == nullptr || medians_of(entry).total < medians_of(*best).total)) {
      best = &entry;
    }
  }
  return best;
}

Bar bar_of(const BenchEntry& entry, const std::string& label, double unit) {
  const Medians medians = medians_of(entry);
  return {label,
          {medians.analysis / unit, medians.first_factor / unit, medians.solve / unit},
          format_seconds(medians.total) + " s",
          entry.contestant.program.is_frond()};
}

}  // namespace

std::string bench_page(const BenchResults& results) {
  const auto section = [](const std::string& content) { return "<section>\n" + content + "</section>\n"; };
  return whole_page("frond bench",
                    "<h1>frond bench</h1>\n" + machine_paragraph(results) + section(means_table(results)) +
                        section(profiles(results)) + section(problem_sections(results)) + missing_paragraph(results.missing),
                    false);
}

std::string bench_chart(const BenchResults& results) {
  const std::vector<int> counts = core_counts(results);
  std::vector<Bar> bars;
  for (const BenchResult& result : results.problems) {
    const BenchEntry* frond = counts.empty() ? nullptr : fastest(result, counts.back(), true);
    const BenchEntry* peer = counts.empty() ? nullptr : fastest(result, counts.back(), false);
    if (frond != nullptr && peer != nullptr) {
      const double unit = medians_of(*peer).total;
      bars.push_back(bar_of(*frond, result.problem + ": frond", unit));
      bars.push_back(bar_of(*peer, peer->contestant.program.name, unit));
    }
  }
  return bar_chart_file(bars, {"analysis", "first factorization", "one solve"});
}

}  // namespace frond
