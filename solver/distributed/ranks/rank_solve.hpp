// SPDX-License-Identifier: BSD-3-Clause
// Solves with distributed factors, without refinement.
#pragma once

#include <algorithm>
#include <span>

#include "solver/distributed/ranks/solve_program.hpp"

namespace frond {

/// X := op(A)^-1 B, or a part of it, as solve_with_factors() does, for any number of columns.
template <Scalar S>
class RankSolve final : public SolveProgram<S> {
 public:
  /// `sides` take the place of those of `sweep`, whose wanted rows count on rank 0 and must outlive this object.
  RankSolve(const SolvableSystem<S>& system, const Sweep<S>& sweep, const RankSides<S>& sides, Channel& channel)
      : SolveProgram<S>(system, sweep.operation, sides, {}, channel), sweep_(sweep) {}

 private:
  void solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> /*reports*/) override {
    for (Index j = 0; j < b.cols; ++j) {
      std::copy_n(b.column(j), b.rows, x.column(j));
    }
    this->sweeps().start(sweep_.of(x));
  }
  bool proceed() override {
    const bool is_solved = this->sweeps().take_solution();
    if (is_solved) {
      this->end_block();
    }
    return is_solved;
  }
  bool receive(SolveMessage /*kind*/, Rank /*from*/, ByteReader& /*reader*/) override { return false; }

  Sweep<S> sweep_;
};

}  // namespace frond
