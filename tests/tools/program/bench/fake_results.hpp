// SPDX-License-Identifier: BSD-3-Clause
// Makes up results of a benchmark, small enough to be worked out by hand.
#pragma once

#include "tools/program/bench/bench_results.hpp"

namespace frond::testing {

inline PeerAnswer fake_run(double analysis, double first_factor, double factor, double solve) {
  PeerAnswer run;
  run.analysis_seconds = analysis;
  run.factor_seconds = {first_factor, factor};
  run.solve_seconds = {solve, solve};
  run.backward_error = 1e-16;
  run.peak_bytes = 1000;
  return run;
}

inline BenchEntry fake_entry(const std::string& name, int num_threads, std::vector<PeerAnswer> runs) {
  BenchEntry entry;
  entry.contestant = {{name, "/bin/" + name}, num_threads, 1};
  entry.solver = name + " 1.0";
  entry.runs = std::move(runs);
  return entry;
}

/// Returns two problems of 8 Gflop. "alpha" factorizes in 4 s on one thread and 2 s on two; "beta <&>" takes 3 s on one thread and
/// fails on the second problem; Frond takes 2 s and 1 s. A third problem was skipped.
inline BenchResults fake_results() {
  BenchResults results;
  results.num_rounds = 3;
  results.machine = {{1, 5e9, 1e10, "BLAS"}, {2, 10e9, 2e10, "BLAS"}, {1, 7e9, 1e10, "BLAS"}, {1, 6e9, 1e10, "BLAS"}};
  results.missing = {{"gamma", "libgamma-dev"}};
  for (const char* name : {"first", "second"}) {
    BenchResult& result = results.problems.emplace_back();
    result.problem = name;
    result.order = 10;
    result.method = "lu";
    result.flops = 8e9;
    result.entries = {fake_entry("frond", 1, {fake_run(1, 3, 2.5, 0.5), fake_run(1, 3, 2, 0.5), fake_run(1, 3, 1.5, 0.5)}),
                      fake_entry("frond", 2, {fake_run(0.5, 1.5, 1, 0.5)}), fake_entry("alpha", 1, {fake_run(2, 5, 4, 1)}),
                      fake_entry("alpha", 2, {fake_run(2, 3, 2, 1)}), fake_entry("beta <&>", 1, {fake_run(4, 4, 3, 2)})};
  }
  BenchEntry& failing = results.problems.back().entries.back();
  failing.runs.clear();
  failing.error = "ended by <signal> 11";
  results.problems.emplace_back().problem = "third";
  results.problems.back().error = "A is singular";
  return results;
}

}  // namespace frond::testing
