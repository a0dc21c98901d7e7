// SPDX-License-Identifier: BSD-3-Clause
// Solves with distributed factors, without refinement.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solver/distributed/ranks/solve_program.hpp"

namespace frond {

/// X := op(A)^-1 B, or a part of it, as solve_with_factors() and solve_with_part() do, for any number of columns; on rank 0
/// `wanted` is as for Sweeps::want().
template <Scalar S>
class RankSolve final : public SolveProgram<S> {
 public:
  RankSolve(const SolvableSystem<S>& system, Operation operation, const RankSides<S>& sides, Channel& channel,
            SweepPart part = SweepPart::whole, std::span<const Index> wanted = {})
      : SolveProgram<S>(system, operation, sides, {}, channel), part_(part), wanted_(wanted.begin(), wanted.end()) {}

 private:
  void solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> /*reports*/) override {
    for (Index j = 0; j < b.cols; ++j) {
      std::copy_n(b.column(j), b.rows, x.column(j));
    }
    this->sweeps().want(wanted_);
    this->sweeps().start(part_, this->operation(), x);
  }
  bool proceed() override {
    const bool is_solved = this->sweeps().take_solution();
    if (is_solved) {
      this->end_block();
    }
    return is_solved;
  }
  bool receive(SolveMessage /*kind*/, Rank /*from*/, ByteReader& /*reader*/) override { return false; }

  SweepPart part_;
  std::vector<Index> wanted_;
};

}  // namespace frond
