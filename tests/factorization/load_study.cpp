// SPDX-License-Identifier: BSD-3-Clause
// Studies costs and benefits of exchanging load information, in virtual time: for each matrix, number of ranks, mechanism and
// threshold the time, the peak of active memory, the messages and the errors of views. The default threshold is based on it; see
// docs/design.md. Prints a table of tab-separated values, then for each threshold of the increments how it compares with zero.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <variant>

#include "factorization/ranks/exchange_options.hpp"
#include "matrices/generate.hpp"
#include "tests/support/ranks/timed_ranks.hpp"

namespace frond::test {
namespace {

struct StudyCase {
  ModelProblem kind;
  Index size;
  Method method;
};

constexpr std::array<StudyCase, 3> kCases = {{{ModelProblem::laplacian3d7, 40, Method::cholesky},
                                              {ModelProblem::elasticity3d, 20, Method::cholesky},
                                              {ModelProblem::convection3d, 40, Method::lu}}};
constexpr std::array<Rank, 3> kNumRanks = {4, 8, 16};
constexpr std::array kShares = {0.0, 0.01, 0.03,
                                0.1, 0.2,  0.3};  // of the load in tasks that are too small to be reported one by one

constexpr double kNoise = 0.1;  // of durations: a schedule that is lucky once is not so for other seeds
constexpr std::uint32_t kNumSeeds = 5;

void print_run(const StudyCase& what, Rank num_ranks, const TimedRun& run, double share, const TimedRunResult& result) {
  fmt::print("{}\t{}\t{}\t{}\t{}\t{:.3g}\t{:.6f}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.6f}\n",
             model_problem_info(what.kind).name, num_ranks, run.seed, to_string(run.exchange.mechanism), share,
             run.exchange.threshold.flops, result.seconds, result.peak_active_bytes, result.num_decisions,
             result.load_messages.total_messages(), result.load_messages.total_bytes(), result.view_flops.mean,
             result.view_flops.largest, result.view_bytes.mean, result.view_bytes.largest, result.blocked_seconds);
}

// Compares runs with one threshold with those with threshold zero.
class Comparison {
 public:
  void add(const TimedRunResult& run, const TimedRunResult& at_zero) {
    time_.add(run.seconds / at_zero.seconds);
    memory_.add(static_cast<double>(run.peak_active_bytes) / static_cast<double>(at_zero.peak_active_bytes));
    messages_.add(static_cast<double>(run.load_messages.total_messages()) /
                  static_cast<double>(at_zero.load_messages.total_messages()));
  }
  void print(double share) const {
    fmt::print("{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\n", share, time_.mean(), time_.largest, memory_.mean(), memory_.largest,
               messages_.mean());
  }

 private:
  struct Ratios {
    double sum_of_logarithms = 0;
    double largest = 0;
    int count = 0;

    void add(double ratio) {
      sum_of_logarithms += std::log(ratio);
      largest = std::max(largest, ratio);
      ++count;
    }
    [[nodiscard]] double mean() const { return std::exp(sum_of_logarithms / count); }
  };

  Ratios time_;
  Ratios memory_;
  Ratios messages_;
};

class Study {
 public:
  void run(const StudyCase& what, Rank num_ranks) {
    const auto a = std::get<SparseMatrix<double>>(generate(what.kind, what.size, 1));
    AnalysisOptions options;
    options.method = what.method;
    options.mapping.num_ranks = num_ranks;
    const std::shared_ptr<const Symbolic> symbolic = analyze(a.pattern(), options);
    const Mapping mapping = map_tree(symbolic->tree(), what.method, options.mapping);
    const TaskGraph graph(symbolic->tree(), what.method, sizeof(double), mapping);
    const auto run_with = [&](LoadMechanism mechanism, double share, std::uint32_t seed) {
      const LoadExchangeOptions exchange{.mechanism = mechanism, .threshold = load_threshold(graph, share)};
      const TimedRun run{.exchange = exchange, .noise = kNoise, .seed = seed};
      const TimedRunResult result = factorize_in_virtual_time(*symbolic, what.method, a, mapping, run);
      print_run(what, num_ranks, run, share, result);
      return result;
    };
    run_with(LoadMechanism::snapshot, 0, 1);
    run_with(LoadMechanism::partial_snapshot, 0, 1);
    run_with(LoadMechanism::naive, 0, 1);
    run_with(LoadMechanism::naive, kSmallTaskShare, 1);
    for (std::uint32_t seed = 1; seed <= kNumSeeds; ++seed) {
      std::optional<TimedRunResult> at_zero;
      for (const double share : kShares) {
        const TimedRunResult result = run_with(LoadMechanism::increments, share, seed);
        comparisons_[share].add(result, at_zero ? *at_zero : at_zero.emplace(result));
      }
    }
  }

  void print_comparisons() const {
    fmt::print("\nshare\ttime_mean\ttime_largest\tmemory_mean\tmemory_largest\tmessages_mean\n");
    for (const auto& [share, comparison] : comparisons_) {
      comparison.print(share);
    }
  }

 private:
  std::map<double, Comparison> comparisons_;  // [share]
};

}  // namespace
}  // namespace frond::test

int main() {
  using namespace frond::test;
  fmt::print(
      "matrix\tranks\tseed\tmechanism\tshare\tthreshold_flops\tseconds\tpeak_active_bytes\tdecisions\tmessages\tbytes\t"
      "flops_error_mean\tflops_error_largest\tbytes_error_mean\tbytes_error_largest\tblocked_seconds\n");
  Study study;
  for (const StudyCase& what : kCases) {
    for (const frond::Rank num_ranks : kNumRanks) {
      study.run(what, num_ranks);
    }
  }
  study.print_comparisons();
}
