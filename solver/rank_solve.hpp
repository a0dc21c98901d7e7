// SPDX-License-Identifier: BSD-3-Clause
// Solving with distributed factors, without a look back.
#pragma once

#include "solver/solve_program.hpp"

namespace frond {

/// X := op(A)^-1 X, as solve_with_factors() does, for any number of columns; X is the right-hand sides on rank 0.
template <Scalar S>
class RankSolve final : public SolveProgram<S> {
 public:
  RankSolve(const RankSystem<S>& system, Operation operation, DenseView<S> x, SolutionPlace place, Channel& channel)
      : SolveProgram<S>(system, operation, x, {}, place, channel) {}

 private:
  void solve_block(Index begin, Index end) override { this->sweeps().start(this->operation(), this->x().columns(begin, end)); }
  bool proceed() override {
    const bool is_solved = this->sweeps().take_solution();
    if (is_solved) {
      this->end_block();
    }
    return is_solved;
  }
  bool receive(SolveMessage /*kind*/, Rank /*from*/, ByteReader& /*reader*/) override { return false; }
};

}  // namespace frond
