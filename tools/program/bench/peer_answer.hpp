// SPDX-License-Identifier: BSD-3-Clause
// The protocol between frond bench and its peers (docs/benchmark.md), on the side that asks.
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

/// Factorizations that each process of a benchmark is asked for.
inline constexpr int kNumFactorizations = 2;

/// What a peer is asked to do, in a process of its own.
struct PeerQuestion {
  std::string matrix;    ///< a file
  std::string method;    ///< cholesky, ldlt, ldlh or lu
  std::string ordering;  ///< a file; empty: the peer chooses
  int num_threads = 1;
  Rank num_ranks = 1;
  double seconds_limit = 0;  ///< of the whole process
  int num_factorizations = kNumFactorizations;
  bool refines = false;  ///< solves with what refinement the peer has
  ThreadSetting setting = {};
};

/// What it says. Figures exist only if both texts are empty.
struct PeerAnswer {
  std::string solver;          ///< name and version
  std::string error;           ///< why it failed
  bool is_over_limit = false;  ///< that is why
  std::string skipped;         ///< why it does not take part
  double analysis_seconds = 0;
  std::vector<double> factor_seconds;  ///< the first of the process, and one that finds its memory warm
  std::vector<double> solve_seconds;   ///< after each factorization
  double backward_error = 0;           ///< the largest
  double componentwise_backward_error = std::numeric_limits<double>::quiet_NaN();  ///< likewise; NaN: not told
  Count factor_entries = 0;                                                        ///< 0: not told, as below
  Count peak_bytes = 0;                                                            ///< of all processes, after reading
  Count factor_peak_bytes = 0;                                                     ///< the same during the first factorization
  Count estimated_factor_peak_bytes = 0;

  /// Componentwise, if the peer told it.
  [[nodiscard]] double judged_error() const {
    return std::isnan(componentwise_backward_error) ? backward_error : componentwise_backward_error;
  }
  [[nodiscard]] double first_factor_seconds() const { return factor_seconds.front(); }
  [[nodiscard]] double warm_factor_seconds() const { return factor_seconds.back(); }
  [[nodiscard]] double total_seconds() const { return analysis_seconds + factor_seconds.front() + solve_seconds.front(); }
};

/// Larger backward errors are wrong answers: the square root of the rounding unit, which one step of refinement would square.
inline constexpr double kLargestBackwardError = 1.5e-8;

/// Runs the peer until it answers, fails, is over its limit, or `wants_stop`. Never throws for what the peer does.
[[nodiscard]] PeerAnswer ask_peer(const PeerProgram& peer, const PeerQuestion& question, const std::function<bool()>& wants_stop);

/// The environment of a process that is measured: the caller's without what changes OpenBLAS's kernels, its threads or the
/// allocator; for peers with their setting, and with what lets solvers that allocate by malloc keep their memory, in huge pages.
[[nodiscard]] std::vector<std::string> measuring_environment(bool is_frond, int num_threads, const ThreadSetting& setting = {});

}  // namespace frond
