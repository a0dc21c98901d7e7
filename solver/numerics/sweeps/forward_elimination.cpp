// SPDX-License-Identifier: BSD-3-Clause
// Eliminates blocks of right-hand sides, each with a solve driven by the factorization.
#include "solver/numerics/sweeps/forward_elimination.hpp"

#include <algorithm>

#include "solver/numerics/sweeps/solve.hpp"

namespace frond {

template <Scalar S>
ForwardElimination<S>::ForwardElimination(const FactorFrame<S>& frame, const SolvePlan& plan, DenseView<const S> b) {
  for (Index begin = 0; begin < b.cols; begin += kSolveBlock) {
    const DenseView<const S> columns = b.columns(begin, std::min(b.cols, begin + kSolveBlock));
    TreeSolve<S>& block = blocks_.emplace_back(frame, plan, SweepPart::whole, Operation::plain, columns.cols);
    block.load(columns);
  }
}

template <Scalar S>
void ForwardElimination<S>::on_eliminated(NodeId node, const FrontFactor<S>& front) {
  for (TreeSolve<S>& block : blocks_) {
    block.forward_front(node, front);
  }
}

template <Scalar S>
void ForwardElimination<S>::finish(const Factors<S>& factors, DenseView<S> x) {
  Index begin = 0;
  for (TreeSolve<S>& block : blocks_) {
    const Index end = std::min(x.cols, begin + kSolveBlock);
    block.set_factors(factors);
    block.backward();
    block.store(x.columns(begin, end));
    begin = end;
  }
}

FROND_INSTANTIATE_CLASS(ForwardElimination)

}  // namespace frond
