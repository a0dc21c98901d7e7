// SPDX-License-Identifier: BSD-3-Clause
// Runs a benchmark from its first problem to its last round.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tools/program/bench/bench_problems.hpp"
#include "tools/program/bench/bench_results.hpp"
#include "tools/program/process/temporary_folder.hpp"

namespace frond {

struct CampaignPlan {
  std::vector<BenchProblem> problems;
  PeerSelection peers;
  std::vector<int> threads = {1};
  std::vector<Rank> ranks = {1};
  int num_rounds = 5;
  int num_again = 0;                ///< refactorizations with other values
  double seconds_limit = 0;         ///< per process; 0: derived from Frond's time
  double least_factor_seconds = 0;  ///< problems that Frond factorizes faster are left out
  bool has_same_ordering = false;   ///< all use Frond's ordering
  bool refines = false;             ///< all refine by their own means, and Frond measures its solutions
};

/// Prepares every problem by letting Frond solve it once, then measures in rounds: in each, every contestant runs once on every
/// problem, in a process of its own, and so do dense products and a triad. A contestant that fails or exceeds its limit is not run
/// again on that problem.
class Campaign {
 public:
  explicit Campaign(CampaignPlan plan);

  /// Runs until all rounds are done or `wants_stop` returns true. Calls `tell` with all results so far after each round, and at the
  /// end.
  void run(std::function<bool()> wants_stop, const std::function<void(const BenchResults&)>& tell);

  [[nodiscard]] const BenchResults& results() const { return results_; }

 private:
  // The question to all processes of one problem.
  struct Job {
    PeerQuestion question;  // except threads and processes
    Count peak_bytes = 0;   // the highest peak of any process so far
  };

  void prepare(std::size_t problem);
  [[nodiscard]] std::string matrix_file(std::size_t problem) const;
  void solve_once(std::size_t problem);
  [[nodiscard]] std::vector<BenchEntry> contestants() const;
  void measure_machine_speeds();
  void measure(std::size_t problem, int round);
  [[nodiscard]] std::vector<int> core_counts_wanted() const;

  CampaignPlan plan_;
  std::function<bool()> wants_stop_;
  TemporaryFolder folder_{"bench"};
  std::vector<Job> jobs_;  // [problem]
  BenchResults results_;
};

}  // namespace frond
