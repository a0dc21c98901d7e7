// SPDX-License-Identifier: BSD-3-Clause
// Plants a failure on a random rank, when it enters a phase for the k-th time, and judges the factors of runs without one.
#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "frond/error.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {

/// Must be asked before each step of a rank. Throws nothing until draw() is called.
class PlantedFailure {
 public:
  void draw(std::mt19937& random, Rank num_ranks) {
    victim_ = static_cast<Rank>(random() % static_cast<std::size_t>(num_ranks));
    phase_ = kPhases[random() % (kPhases.size() - 1)];
    const std::size_t most_times = std::size_t{1} << random() % 6;
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

 private:
  Rank victim_ = -1;
  Phase phase_ = Phase::job;
  std::size_t times_left_ = 0;
  bool has_struck_ = false;
};

/// Returns what is wrong with the factors of a run: all variables must be eliminated, and the factors must multiply to the matrix.
inline std::string wrong_factors(const RankProblem<double>& problem, const VirtualRunResult<double>& result) {
  const Factors<double> factors = problem.gather(result);
  const DenseOracle<double> oracle = multiply_out(factors);
  if (oracle.num_eliminated() != problem.a.num_rows) {
    return "only " + std::to_string(oracle.num_eliminated()) + " variables were eliminated";
  }
  const double error = oracle.error(permuted_matrix(factors, problem.a.view()));
  return error < 1 ? "" : "the factors are wrong by " + std::to_string(error) + " times the bound";
}

}  // namespace frond::test
