// SPDX-License-Identifier: BSD-3-Clause
// A benchmark from its first problem to its last round.
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
  double seconds_limit = 0;         ///< of each process; 0: by what Frond takes
  double least_factor_seconds = 0;  ///< problems that Frond factorizes faster are left out
  bool has_same_ordering = false;   ///< all get Frond's
};

/// Prepares every problem by letting Frond solve it once, then measures in rounds: in each, every contestant runs once on every
/// problem, in a process of its own, and so do dense products and a triad. A contestant that fails or is over its limit takes no
/// further part for that problem.
class Campaign {
 public:
  explicit Campaign(CampaignPlan plan);

  /// Until all rounds are done or `wants_stop`. `tell` is called with everything so far after each round, and at the end.
  void run(const std::function<bool()>& wants_stop, const std::function<void(const BenchResults&)>& tell);

  [[nodiscard]] const BenchResults& results() const { return results_; }

 private:
  // What the processes of one problem are told.
  struct Job {
    PeerQuestion question;  // but for threads and processes
    Count peak_bytes = 0;   // the most that any process took so far
  };

  void prepare(std::size_t problem, const std::function<bool()>& wants_stop);
  [[nodiscard]] std::string matrix_file(std::size_t problem) const;
  void solve_once(std::size_t problem, const std::function<bool()>& wants_stop);
  [[nodiscard]] std::vector<BenchEntry> contestants() const;
  void measure_machine_speeds(const std::function<bool()>& wants_stop);
  void measure(std::size_t problem, int round, const std::function<bool()>& wants_stop);
  [[nodiscard]] std::vector<int> core_counts_wanted() const;

  CampaignPlan plan_;
  TemporaryFolder folder_{"bench"};
  std::vector<Job> jobs_;  // [problem]
  BenchResults results_;
};

}  // namespace frond
