// SPDX-License-Identifier: BSD-3-Clause
// A failure of a drawn rank, when it is about to do something for the k-th time; and the judgement of what comes out without one.
#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "frond/error.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {

/// To be asked before each step of a rank. None until it is drawn.
class PlantedFailure {
 public:
  void draw(std::mt19937& random, Rank num_ranks) {
    victim_ = static_cast<Rank>(random() % static_cast<std::size_t>(num_ranks));
    phase_ = kPhases[random() % (kPhases.size() - 1)];
    const std::size_t most_times = std::size_t{1} << random() % 6;
    times_left_ = 1 + random() % most_times;
  }
  /// Throws the failure when its time has come.
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

/// What is wrong with the factors of a run: all variables are to be eliminated, and the factors to multiply to the matrix.
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
