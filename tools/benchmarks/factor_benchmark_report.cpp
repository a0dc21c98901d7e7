// SPDX-License-Identifier: BSD-3-Clause
// Tables, JSON and the comparison with the targets.
#include "tools/benchmarks/factor_benchmark_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/benchmarks/factor_benchmark_process.hpp"
#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

/// Waiting for a core makes wall times longer than processor times by more than this only when other programs run.
constexpr double kBusyRatio = 1.05;

/// The rate of `row` as a percentage of that of dense products on as many threads, by this time.
double dgemm_percentage(const Comparison& comparison, const Measurements& row, double (Measurements::*seconds)() const) {
  const Measurements* dgemm = comparison.find(kDgemm, row.num_threads);
  return dgemm == nullptr ? NAN : 100 * (row.flops / (row.*seconds)()) / (dgemm->flops / (dgemm->*seconds)());
}

std::string describe_row(const Comparison& comparison, const Measurements& row) {
  const std::string start = fmt::format("  {:<8}{:>8}", row.solver, row.num_threads);
  if (!row.error.empty()) return fmt::format("{}  {}\n", start, row.error);
  const std::string accuracy = row.solver == kDgemm ? "" : fmt::format("{:>11.1e}", row.backward_error);
  return fmt::format("{}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.1f}{:>9.0f} %{:>9.0f} %{}\n", start, row.wall(),
                     std::ranges::min(row.wall_seconds), row.cpu(), row.flop_rate() * 1e-9,
                     dgemm_percentage(comparison, row, &Measurements::wall), dgemm_percentage(comparison, row, &Measurements::cpu),
                     accuracy);
}

std::string describe_ratio(const Comparison& comparison) {
  const Measurements* peer = comparison.best_peer(&Measurements::wall);
  if (peer == nullptr) return "  no peer was measured\n";
  return fmt::format("  frond / best peer ({}), one thread: {:.2f} by wall time, {:.2f} by CPU time\n", peer->solver,
                     comparison.ratio_to_best_peer(&Measurements::wall), comparison.ratio_to_best_peer(&Measurements::cpu));
}

bool was_busy(const Comparison& comparison) {
  return std::ranges::any_of(comparison.measurements,
                             [](const Measurements& m) { return m.num_threads == 1 && m.wall() > kBusyRatio * m.cpu(); });
}

double megabytes(Count bytes) { return static_cast<double>(bytes) * 1e-6; }

}  // namespace

std::string missing_peers() {
  std::string text;
  for (const SolverInfo& info : solver_infos()) {
    if (!info.is_available)
      text += fmt::format("{} is left out: it was not found by CMake (Debian: {})\n", info.name, info.debian_package);
  }
  return text;
}

std::string describe(const Comparison& comparison) {
  std::string text = fmt::format("{}: order {}, {} entries, {}, {:.2f} Gflop, {:.2f} million entries of factors\n",
                                 comparison.problem, comparison.order, comparison.entries, comparison.method,
                                 comparison.flops * 1e-9, static_cast<double>(comparison.factor_entries) * 1e-6);
  text += "  solver   threads    wall s   least s     CPU s   GFlop/s   of DGEMM     by CPU   backward error\n";
  for (const Measurements& row : comparison.measurements) text += describe_row(comparison, row);
  text += describe_ratio(comparison);
  text += fmt::format("  speed-up 1 -> {} threads: {:.2f} (DGEMM: {:.2f})\n", kManyThreads, comparison.speed_up("frond"),
                      comparison.speed_up(kDgemm));
  if (was_busy(comparison)) text += "  the machine was busy: compare CPU times, and repeat this on a quiet one\n";
  return text;
}

std::string describe(const std::vector<MemoryComparison>& comparisons) {
  std::string text = "problem               method    threads  before MB  estimate MB    peak MB  peak / estimate\n";
  for (const MemoryComparison& row : comparisons) {
    text += fmt::format("{:<22}{:<10}{:>7}{:>11.1f}{:>13.1f}{:>11.1f}{:>17.3f}\n", row.problem, row.method, row.num_threads,
                        megabytes(row.before_bytes), megabytes(row.estimated_bytes), megabytes(row.peak_bytes), row.ratio());
  }
  return text;
}

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Measurements& row : comparison.measurements) {
    rows.push_back({{"solver", row.solver},
                    {"threads", row.num_threads},
                    {"flops", row.flops},
                    {"wall_seconds", row.wall_seconds},
                    {"cpu_seconds", row.cpu_seconds},
                    {"backward_error", row.backward_error},
                    {"error", row.error}});
  }
  return {{"problem", comparison.problem},
          {"n", comparison.order},
          {"nnz", comparison.entries},
          {"method", comparison.method},
          {"flops", comparison.flops},
          {"factor_entries", comparison.factor_entries},
          {"blas", comparison.blas},
          {"ratio_to_best_peer_wall", comparison.ratio_to_best_peer(&Measurements::wall)},
          {"ratio_to_best_peer_cpu", comparison.ratio_to_best_peer(&Measurements::cpu)},
          {"speed_up", comparison.speed_up("frond")},
          {"dgemm_speed_up", comparison.speed_up(kDgemm)},
          {"measurements", std::move(rows)}};
}

nlohmann::json to_json(const MemoryComparison& comparison) {
  return {{"problem", comparison.problem},
          {"method", comparison.method},
          {"threads", comparison.num_threads},
          {"before_bytes", comparison.before_bytes},
          {"estimated_bytes", comparison.estimated_bytes},
          {"peak_bytes", comparison.peak_bytes},
          {"ratio", comparison.ratio()}};
}

bool meets(const PerformanceTargets& targets, const Comparison& comparison) {
  return std::ranges::all_of(comparison.measurements, &std::string::empty, &Measurements::error) &&
         comparison.ratio_to_best_peer(&Measurements::wall) <= targets.largest_ratio_to_best_peer &&
         comparison.speed_up("frond") >= targets.least_speed_up;
}

bool meets(const PerformanceTargets& targets, const MemoryComparison& comparison) {
  return std::abs(comparison.ratio() - 1) <= targets.largest_memory_deviation;
}

}  // namespace frond
