// SPDX-License-Identifier: BSD-3-Clause
// Draws runs on virtual ranks from a seed, with troubles that they must handle, and judges how they end.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "frond/error.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_drains.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {

/// An error on a random rank, when it enters a random phase for the k-th time. Must be asked before each step of a rank. Throws
/// nothing until draw() is called.
class PlantedFailure {
 public:
  PlantedFailure() = default;
  PlantedFailure(Rank victim, Phase phase, std::size_t times) : victim_(victim), phase_(phase), times_left_(times) {}

  /// Draws one of the first phases.
  void draw(std::mt19937& random, Rank num_ranks, std::size_t num_phases = kPhases.size() - 1) {
    phase_ = kPhases[random() % num_phases];
    victim_ = phase_ == Phase::ending ? 0 : static_cast<Rank>(random() % static_cast<std::size_t>(num_ranks));
    const std::size_t most_times = phase_ == Phase::factorizing_root ? 1 : std::size_t{1} << random() % 6;
    times_left_ = 1 + random() % most_times;
  }
  /// Throws the failure when it is due.
  void before(Rank rank, Phase phase) {
    if (rank == victim_ && phase == phase_ && times_left_ > 0 && --times_left_ == 0) {
      has_struck_ = true;
      throw MemoryError("planted", 123, 45);
    }
  }
  [[nodiscard]] bool has_struck() const { return has_struck_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] Rank victim() const { return victim_; }

 private:
  Rank victim_ = -1;
  Phase phase_ = Phase::job;
  std::size_t times_left_ = 0;
  bool has_struck_ = false;
};

/// Returns what is wrong with the factors of a run: all variables must be eliminated, and the factors must multiply to the matrix,
/// up to `most` times the bound.
template <Scalar S>
[[nodiscard]] std::string wrong_factors(const RankProblem<S>& problem, const Factors<S>& factors, const DenseOracle<S>& oracle,
                                        double most = 1) {
  if (oracle.num_eliminated() != problem.a.num_rows) {
    return "only " + std::to_string(oracle.num_eliminated()) + " variables were eliminated";
  }
  const double error = oracle.error(permuted_matrix(factors, problem.a.view()));
  return error <= most ? "" : "the factors are wrong by " + std::to_string(error) + " times the bound";
}
template <Scalar S>
[[nodiscard]] std::string wrong_factors(const RankProblem<S>& problem, const VirtualRunResult<S>& result, double most = 1) {
  const Factors<S> factors = problem.gather(result);
  return wrong_factors(problem, factors, multiply_out(factors), most);
}

/// What runs drawn from a seed have in common.
class DrawnRun {
 public:
  DrawnRun(std::uint32_t seed, std::string folder) : random_(seed), run_{.seed = seed}, folder_(std::move(folder)) {
    run_.buffer_bytes = Count{200} << below(12);
    run_.piece_bytes = Count{64} << below(10);
    run_.pivoting = {.pivot_threshold = 0.1, .null_threshold = 1e-40};
    run_.selection.schedule = below(2) == 0 ? Schedule::flops : Schedule::memory;
    run_.before = [this](Rank rank, Phase phase) {
      drains_.before(phase);
      failure_.before(rank, phase);
    };
  }

 protected:
  ~DrawnRun() = default;

  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }

  [[nodiscard]] VirtualRunResult<double> factorize(const RankProblem<double>& problem) const {
    return factorize_on_virtual_ranks<double>(problem.symbolic, problem.method, problem.a, problem.mapping, run_);
  }

  void draw_drains(const VirtualRunCounts& undisturbed) { drains_.draw(random_, num_ranks_, undisturbed.messages, folder_, run_); }

  // Draws little memory, failures and stops, each in a fraction of the runs.
  void draw_troubles(const VirtualRunCounts& undisturbed) {
    is_tight_ = below(4) == 0;
    if (is_tight_) {
      run_.memory_limit = undisturbed.peak_bytes * static_cast<Count>(50 + below(120)) / 100;
      run_.selection.memory_limit = below(2) == 0 ? run_.memory_limit : 0;  // 0: only the rank that refuses knows
    }
    if (below(3) == 0) {
      run_.ahead_limit_bytes = undisturbed.peak_bytes * static_cast<Count>(below(50)) / 100;
    }
    if (below(6) == 0) {
      failure_.draw(random_, num_ranks_);
    } else if (below(6) == 0) {
      run_.stop = {.rank = static_cast<Rank>(below(static_cast<std::size_t>(num_ranks_))),
                   .after_messages = static_cast<Count>(below(static_cast<std::size_t>(undisturbed.messages + 1))),
                   .again = below(2) == 0};
    }
  }

  // Returns what is wrong.
  [[nodiscard]] std::string judge(const RankProblem<double>& problem, const VirtualRunResult<double>& result,
                                  testing::EventCoverage& coverage) const {
    if (!result.complaints.empty()) {
      return result.complaints.front();
    }
    if (result.failure) {
      const bool is_stopped = result.failure->kind == Failure::Kind::stopped;
      coverage.note("stops", is_stopped ? 1 : 0);
      coverage.note("failures", failure_.has_struck() ? 1 : 0);
      return is_tight_ || failure_.has_struck() || is_stopped ? "" : result.failure->text;
    }
    return failure_.has_struck() ? "the failure was lost" : wrong_factors(problem, result);
  }

  std::mt19937 random_;
  VirtualRun run_;
  std::string folder_;
  Rank num_ranks_ = static_cast<Rank>(2 + below(15));
  Types types_ = std::array{Types::sequential, Types::row_distributed, Types::grid}[below(3)];
  Method method_ = std::array{Method::cholesky, Method::ldlt, Method::lu}[below(3)];
  Values values_ = method_ == Method::cholesky ? Values::dominant : Values::zero_diagonal;
  DrawnDrains drains_;
  PlantedFailure failure_;
  bool is_tight_ = false;
};

/// Makes a run from a seed and lets it go; returns what is wrong.
template <class Run>
[[nodiscard]] std::string go_in_scratch_folder(std::uint32_t seed, testing::EventCoverage& coverage) {
  const testing::ScratchFolder folder;
  try {
    return Run(seed, folder.path(".")).go(coverage);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace frond::test
