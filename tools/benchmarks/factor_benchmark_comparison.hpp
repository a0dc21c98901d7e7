// SPDX-License-Identifier: BSD-3-Clause
// Comparing Frond with its peers on one problem: all of them measured in turn, in the same minutes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/benchmarks/factor_benchmark_problem.hpp"

namespace frond {

/// Threads of the parallel run, whose speed-up is measured.
inline constexpr int kManyThreads = 2;

/// What one process measured.
struct Measurements {
  std::string solver;  ///< a name of solver_infos(), or kDgemm
  int num_threads = 1;
  double flops = 0;  ///< of one run
  std::vector<double> wall_seconds;
  std::vector<double> cpu_seconds;  ///< of all threads
  double backward_error = 0;        ///< the largest of all runs
  std::string error;                ///< not empty: why there are no measurements

  [[nodiscard]] double wall() const;  ///< median; NaN when there are none
  [[nodiscard]] double cpu() const;   ///< median; NaN when there are none
  [[nodiscard]] double flop_rate() const { return flops / wall(); }
};

struct Comparison {
  std::string problem;
  Index order = 0;
  Count entries = 0;
  std::string method;
  double flops = 0;  ///< of the elimination, by exact column counts
  Count factor_entries = 0;
  std::string blas;
  std::vector<Measurements> measurements;

  /// Of this solver on so many threads; null when it was not measured.
  [[nodiscard]] const Measurements* find(std::string_view solver, int num_threads) const;
  /// The peer with the least median of this time (&Measurements::wall or cpu); null when no peer was measured.
  [[nodiscard]] const Measurements* best_peer(double (Measurements::*seconds)() const) const;
  /// Frond's time on one thread over that of the best peer; NaN without one.
  [[nodiscard]] double ratio_to_best_peer(double (Measurements::*seconds)() const) const;
  /// Work per wall time on many threads over that on one; NaN when not measured.
  [[nodiscard]] double speed_up(std::string_view solver) const;
};

/// Starts a process for each solver that applies, lets each factorize once unmeasured, then measures them in turn `repetitions`
/// times. Throws frond::Error when the problem cannot be loaded.
[[nodiscard]] Comparison compare(const ProblemName& problem, std::optional<Method> method, int repetitions);

/// "laplacian3d7 60"
[[nodiscard]] std::string to_string(const ProblemName& problem);

/// The method of this name (see to_string(Method)); throws a UsageError for others than those of real matrices.
[[nodiscard]] Method parse_method(std::string_view name);

}  // namespace frond
