// SPDX-License-Identifier: BSD-3-Clause
// The asking side of the protocol between frond bench and its peers (docs/benchmark.md).
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "frond/types.hpp"
#include "tools/program/bench/peer_programs.hpp"
#include "tools/program/bench/thread_setting.hpp"

namespace frond {

/// The number of factorizations requested from each process of a benchmark.
inline constexpr int kNumFactorizations = 2;

/// The task of a peer, in a process of its own.
struct PeerQuestion {
  std::string matrix;    ///< a file
  std::string method;    ///< cholesky, ldlt, ldlh or lu
  std::string ordering;  ///< a file; empty: the peer chooses
  int num_threads = 1;
  Rank num_ranks = 1;
  double seconds_limit = 0;  ///< for the whole process
  int num_factorizations = kNumFactorizations;
  int num_again = 0;     ///< refactorizations with other values
  bool refines = false;  ///< solves with the peer's own refinement, if any
  ThreadSetting setting = {};
};

/// The peer's answer. Figures are valid only if both texts are empty.
struct PeerAnswer {
  std::string solver;          ///< name and version
  std::string error;           ///< why it failed
  bool is_over_limit = false;  ///< the error is that it exceeded its limit
  std::string skipped;         ///< why it does not take part
  double analysis_seconds = 0;
  std::vector<double> factor_seconds;                                      ///< the first in the process, and one with warm memory
  std::vector<double> solve_seconds;                                       ///< after each factorization
  double again_factor_seconds = std::numeric_limits<double>::quiet_NaN();  ///< of a refactorization; NaN: not reported
  double again_solve_seconds = again_factor_seconds;                       ///< after it
  double backward_error = 0;                                               ///< the largest
  double componentwise_backward_error = std::numeric_limits<double>::quiet_NaN();  ///< likewise; NaN: not reported
  Count factor_entries = 0;                                                        ///< 0: not reported, as below
  Count peak_bytes = 0;                                                            ///< of all processes, after reading
  Count factor_peak_bytes = 0;                                                     ///< the same during the first factorization
  Count estimated_factor_peak_bytes = 0;

  /// Returns the componentwise error if the peer reported it, otherwise the normwise one.
  [[nodiscard]] double judged_error() const {
    return std::isnan(componentwise_backward_error) ? backward_error : componentwise_backward_error;
  }
  [[nodiscard]] double first_factor_seconds() const { return factor_seconds.front(); }
  [[nodiscard]] double warm_factor_seconds() const { return factor_seconds.back(); }
  [[nodiscard]] double again_seconds() const { return again_factor_seconds + again_solve_seconds; }
  [[nodiscard]] double total_seconds() const { return analysis_seconds + factor_seconds.front() + solve_seconds.front(); }
};

/// Answers with larger backward errors are wrong: the square root of the rounding unit, which one step of refinement would square.
inline constexpr double kLargestBackwardError = 1.5e-8;

/// Runs the peer until it answers, fails, exceeds its limit, or `wants_stop` returns true. Never throws for an error of the peer.
[[nodiscard]] PeerAnswer ask_peer(const PeerProgram& peer, const PeerQuestion& question, const std::function<bool()>& wants_stop);

/// Returns the environment of a measured process: the caller's without variables that change OpenBLAS's kernels, its threads or the
/// allocator; for peers with their setting, and with variables that let solvers that use malloc keep their memory, in huge pages.
[[nodiscard]] std::vector<std::string> measuring_environment(bool is_frond, int num_threads, const ThreadSetting& setting = {});

}  // namespace frond
