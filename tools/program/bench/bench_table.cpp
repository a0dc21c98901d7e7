// SPDX-License-Identifier: BSD-3-Clause
// Writes tables in plain text.
#include "tools/program/bench/bench_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <span>

namespace frond {
namespace {

std::string percentage(double fraction) { return std::isnan(fraction) ? "-" : fmt::format("{:.0f} %", 100 * fraction); }

std::string describe_machine(const BenchResults& results) {
  std::string text = results.machine.empty() ? "" : fmt::format("{}\n", results.machine.front().blas);
  for (const int num_cores : core_counts(results)) {
    if (const double rate = dgemm_rate(results, num_cores); !std::isnan(rate)) {
      fmt::format_to(std::back_inserter(text), "{} core{}: DGEMM {:.1f} GFlop/s, memory {:.1f} GB/s\n", num_cores,
                     num_cores == 1 ? "" : "s", 1e-9 * rate, 1e-9 * triad_rate(results, num_cores));
    }
  }
  return was_busy(results) ? text + "other programs were running: repeat this on a quiet machine\n" : text;
}

constexpr const char* kHeader =
    "  solver                     analysis   factor  spread   first    solve    total  GFlop/s  DGEMM   peak MB   / est.   error  "
    "/ best: factor   total";
constexpr const char* kAgainHeader = "    again  / best";

std::string describe_row(const BenchResults& results, const BenchResult& result, const BenchEntry& entry) {
  const Medians medians = medians_of(entry);
  const double rate = flop_rate(result, entry);
  const std::string again = results.num_again == 0
                                ? ""
                                : fmt::format("{:>9}{:>8}", format_seconds(medians.again),
                                              format_figure(ratio_to_best_peer(result, entry, &Medians::again), 2));
  return fmt::format("  {:<26}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}{:>9}{:>7}{:>10}{:>9}{:>8.0e}{:>16}{:>8}{}\n", entry.contestant.label(),
                     format_seconds(medians.analysis), format_seconds(medians.factor), percentage(medians.factor_spread),
                     format_seconds(medians.first_factor), format_seconds(medians.solve), format_seconds(medians.total),
                     format_figure(1e-9 * rate, 1), percentage(rate / dgemm_rate(results, entry.contestant.num_cores())),
                     format_figure(1e-6 * medians.peak_bytes, 0), format_figure(medians.peak_to_estimate, 2),
                     medians.backward_error, format_figure(ratio_to_best_peer(result, entry, &Medians::factor), 2),
                     format_figure(ratio_to_best_peer(result, entry, &Medians::total), 2), again);
}

// Returns a line for each program that does not take part on any number of cores.
std::string describe_absent(const BenchResult& result) {
  std::string text;
  std::set<std::string> told;
  for (const BenchEntry& entry : result.entries) {
    if (entry.skipped.empty()) {
      told.insert(entry.contestant.program.name);
    }
  }
  for (const BenchEntry& entry : result.entries) {
    if (told.insert(entry.contestant.program.name).second) {
      fmt::format_to(std::back_inserter(text), "  {:<26}  takes no part: {}\n", entry.contestant.program.name, entry.skipped);
    }
  }
  return text;
}

std::string describe_problem(const BenchResults& results, const BenchResult& result) {
  if (!result.error.empty()) {
    return fmt::format("{}: left out: {}\n", result.problem, result.error);
  }
  std::string text = fmt::format("{}: order {}, {} entries, {} {}, {:.2f} Gflop by Frond's ordering\n{}{}\n", result.problem,
                                 result.order, result.num_entries, result.is_complex ? "complex" : "real", result.method,
                                 1e-9 * result.flops, kHeader, results.num_again == 0 ? "" : kAgainHeader);
  for (const BenchEntry& entry : result.entries) {
    if (entry.counts()) {
      text += describe_row(results, result, entry);
    }
  }
  for (const BenchEntry& entry : result.entries) {
    if (!entry.error.empty()) {
      fmt::format_to(std::back_inserter(text), "  {:<26}  {}\n", entry.contestant.label(), entry.error);
    }
  }
  return text + describe_absent(result);
}

std::string describe_means(const BenchResults& results) {
  const std::string text =
      "geometric means of the ratios to the best peer on at most as many cores\n"
      "  solver                     analysis   factor    solve    total     peak";
  return text + (results.num_again == 0 ? "\n" : "    again\n") + mean_lines(results, "  {:<26}", "{:>9}", "\n");
}

}  // namespace

std::string mean_lines(const BenchResults& results, std::string_view first, std::string_view cell, std::string_view end) {
  std::string lines;
  for (const MeanRatios& mean : mean_ratios(results)) {
    lines += fmt::format(fmt::runtime(first), mean.contestant);
    for (const double ratio : std::span(mean.ratios).first(mean.ratios.size() - (results.num_again == 0 ? 1 : 0))) {
      lines += fmt::format(fmt::runtime(cell), format_figure(ratio, 2));
    }
    lines += end;
  }
  return lines;
}

std::string format_seconds(double seconds) { return std::isnan(seconds) ? "-" : fmt::format("{:.3g}", seconds); }

std::string format_figure(double value, int decimals) { return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals); }

std::string describe_missing(const std::vector<MissingPeer>& missing) {
  std::string text;
  for (const MissingPeer& peer : missing) {
    fmt::format_to(std::back_inserter(text),
                   "{} was not built: install its library (Debian: {}) and build Frond with -DFROND_STUDIES=ON\n", peer.name,
                   peer.debian_package);
  }
  return text;
}

std::string describe(const BenchResults& results) {
  std::string text = fmt::format("{} round{}, medians; seconds{}\n", results.num_rounds, results.num_rounds == 1 ? "" : "s",
                                 results.has_same_ordering ? "; all with Frond's ordering" : "");
  text += describe_machine(results);
  for (const BenchResult& result : results.problems) {
    text += '\n' + describe_problem(results, result);
  }
  return text + '\n' + describe_means(results) + describe_missing(results.missing);
}

}  // namespace frond
