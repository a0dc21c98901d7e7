// SPDX-License-Identifier: BSD-3-Clause
// All that a benchmark measured, and what is derived from it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tools/program/bench/machine_speed.hpp"
#include "tools/program/bench/peer_answer.hpp"

namespace frond {

/// A solver on so many cores.
struct Contestant {
  PeerProgram program;
  int num_threads = 1;  ///< of each process
  Rank num_ranks = 1;
  ThreadSetting setting = {};

  [[nodiscard]] int num_cores() const { return num_threads * num_ranks; }
  [[nodiscard]] std::string label() const;  ///< "mumps, 2 threads", "mumps, 2 threads, openmp BLAS, spinning"
};

/// Its measurements on one problem.
struct BenchEntry {
  Contestant contestant;
  std::string solver;            ///< name and version, as it says
  std::string error;             ///< not empty: why it left the comparison
  std::string skipped;           ///< not empty: why it takes no part
  std::vector<PeerAnswer> runs;  ///< one of each round

  [[nodiscard]] bool counts() const { return error.empty() && skipped.empty() && !runs.empty(); }
};

struct BenchResult {
  std::string problem;
  std::string error;  ///< not empty: why it was left out
  Index order = 0;
  Count num_entries = 0;
  bool is_complex = false;
  std::string method;
  double flops = 0;  ///< of real arithmetic, by the exact column counts of Frond's ordering: the same for every solver
  std::vector<BenchEntry> entries;
};

struct BenchResults {
  std::vector<MissingPeer> missing;
  bool has_same_ordering = false;     ///< Frond's was given to all
  int num_rounds = 0;                 ///< complete ones
  std::vector<MachineSpeed> machine;  ///< of each round and number of threads
  std::vector<BenchResult> problems;
};

/// Figures of one entry: medians over its runs, NaN where there are none.
struct Medians {
  double analysis = std::numeric_limits<double>::quiet_NaN();
  double first_factor = analysis;  ///< the first of a process
  double factor = analysis;        ///< with warm memory
  double factor_spread = analysis;
  double solve = analysis;
  double total = analysis;             ///< of one process: analysis, first factorization, first solve
  double peak_bytes = analysis;        ///< NaN: not told
  double peak_to_estimate = analysis;  ///< of the first factorization; NaN: there is no estimate
  double backward_error = analysis;    ///< the largest, componentwise where that is known
};

[[nodiscard]] Medians medians_of(const BenchEntry& entry);

/// The least of a figure that peers reached on at most so many cores; NaN if none has.
[[nodiscard]] double best_peer(const BenchResult& result, int num_cores, double Medians::*figure);

/// Keeps the fastest, by its total time, of the entries that differ in nothing but their setting.
void leave_out_slower_settings(BenchResult& result);

/// An entry's figure over best_peer() on as many cores.
[[nodiscard]] double ratio_to_best_peer(const BenchResult& result, const BenchEntry& entry, double Medians::*figure);

/// Flops per second of a factorization with warm memory.
[[nodiscard]] double flop_rate(const BenchResult& result, const BenchEntry& entry);

/// Median of DGEMM on so many cores, in flops per second; NaN if it was not measured.
[[nodiscard]] double dgemm_rate(const BenchResults& results, int num_cores);
/// Median of the triad, in bytes per second.
[[nodiscard]] double triad_rate(const BenchResults& results, int num_cores);

/// Whether dense products on several cores were so much slower than as many times one that other programs must have run.
[[nodiscard]] bool was_busy(const BenchResults& results);

/// The numbers of cores that contestants work on, increasing.
[[nodiscard]] std::vector<int> core_counts(const BenchResults& results);

/// Of each of Frond's contestants the geometric means, over all problems that it and a peer solved, of ratio_to_best_peer().
struct MeanRatios {
  std::string contestant;
  double analysis = 0;  ///< NaN where the ordering was given
  double factor = 0;
  double solve = 0;
  double total = 0;
  double peak_bytes = 0;
};
[[nodiscard]] std::vector<MeanRatios> mean_ratios(const BenchResults& results);

/// Total times for a performance profile on so many cores: a solver may leave cores idle where that is faster.
struct ProfileTimes {
  std::vector<std::string> programs;
  std::vector<std::vector<double>> seconds;  ///< [program][problem]; NaN: not solved
};
[[nodiscard]] ProfileTimes profile_times(const BenchResults& results, int num_cores);

}  // namespace frond
