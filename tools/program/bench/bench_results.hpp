// SPDX-License-Identifier: BSD-3-Clause
// All measurements of a benchmark, and the figures derived from them.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tools/program/bench/machine_speed.hpp"
#include "tools/program/bench/peer_answer.hpp"

namespace frond {

/// A solver on a given number of cores.
struct Contestant {
  PeerProgram program;
  int num_threads = 1;  ///< per process
  Rank num_ranks = 1;
  ThreadSetting setting = {};

  [[nodiscard]] int num_cores() const { return num_threads * num_ranks; }
  [[nodiscard]] std::string label() const;  ///< "mumps, 2 threads", "mumps, 2 threads, openmp BLAS, spinning"
};

/// The measurements of a contestant on one problem.
struct BenchEntry {
  Contestant contestant;
  std::string solver;            ///< name and version, as the solver reports them
  std::string error;             ///< not empty: why it left the comparison
  std::string skipped;           ///< not empty: why it does not take part
  std::vector<PeerAnswer> runs;  ///< one per round

  [[nodiscard]] bool counts() const { return error.empty() && skipped.empty() && !runs.empty(); }
};

struct BenchResult {
  std::string problem;
  std::string error;  ///< not empty: why it was left out
  Index order = 0;
  Count num_entries = 0;
  bool is_complex = false;
  std::string method;
  double flops = 0;  ///< in real arithmetic, from the exact column counts of Frond's ordering: the same for every solver
  std::vector<BenchEntry> entries;
};

struct BenchResults {
  std::vector<MissingPeer> missing;
  bool has_same_ordering = false;     ///< all solvers use Frond's ordering
  int num_again = 0;                  ///< refactorizations that each run was asked for
  int num_rounds = 0;                 ///< completed rounds
  std::vector<MachineSpeed> machine;  ///< for each round and number of threads
  std::vector<BenchResult> problems;
};

/// Figures of one entry: medians over its runs, NaN without runs.
struct Medians {
  double analysis = std::numeric_limits<double>::quiet_NaN();
  double first_factor = analysis;  ///< the first in a process
  double factor = analysis;        ///< with warm memory
  double factor_spread = analysis;
  double solve = analysis;
  double total = analysis;             ///< of one process: analysis, first factorization, first solve
  double again = analysis;             ///< of a refactorization with other values and a solve; NaN: not reported
  double peak_bytes = analysis;        ///< NaN: not reported
  double peak_to_estimate = analysis;  ///< of the first factorization; NaN: there is no estimate
  double backward_error = analysis;    ///< the largest, componentwise where that is known
};

[[nodiscard]] Medians medians_of(const BenchEntry& entry);

/// Returns the least value of a figure among peers on at most `num_cores` cores; NaN if there is none.
[[nodiscard]] double best_peer(const BenchResult& result, int num_cores, double Medians::*figure);

/// Among entries that differ only in their setting, keeps the one with the least total time.
void leave_out_slower_settings(BenchResult& result);

/// Returns an entry's figure divided by best_peer() on as many cores.
[[nodiscard]] double ratio_to_best_peer(const BenchResult& result, const BenchEntry& entry, double Medians::*figure);

/// Returns the flops per second of a factorization with warm memory.
[[nodiscard]] double flop_rate(const BenchResult& result, const BenchEntry& entry);

/// Returns the median of DGEMM on this number of cores, in flops per second; NaN if it was not measured.
[[nodiscard]] double dgemm_rate(const BenchResults& results, int num_cores);
/// Returns the median of the triad, in bytes per second.
[[nodiscard]] double triad_rate(const BenchResults& results, int num_cores);

/// True if dense products on several cores were so much slower than that many times one that other programs must have run.
[[nodiscard]] bool was_busy(const BenchResults& results);

/// Returns the numbers of cores that contestants use, increasing.
[[nodiscard]] std::vector<int> core_counts(const BenchResults& results);

/// The figures whose ratios are averaged, and their names in records. The last is shown only if refactorizations were asked for.
inline constexpr std::array<std::pair<const char*, double Medians::*>, 6> kMeanFigures = {{{"analysis", &Medians::analysis},
                                                                                           {"factor", &Medians::factor},
                                                                                           {"solve", &Medians::solve},
                                                                                           {"total", &Medians::total},
                                                                                           {"peak_bytes", &Medians::peak_bytes},
                                                                                           {"again", &Medians::again}}};

/// For one of Frond's contestants, the geometric means of ratio_to_best_peer() over all problems that it and a peer solved; that of
/// the analysis is NaN if the ordering was given.
struct MeanRatios {
  std::string contestant;
  std::array<double, kMeanFigures.size()> ratios{};
};
[[nodiscard]] std::vector<MeanRatios> mean_ratios(const BenchResults& results);

/// Total times for a performance profile on a given number of cores: a solver may leave cores idle if that is faster.
struct ProfileTimes {
  std::vector<std::string> programs;
  std::vector<std::vector<double>> seconds;  ///< [program][problem]; NaN: not solved
};
[[nodiscard]] ProfileTimes profile_times(const BenchResults& results, int num_cores);

}  // namespace frond
