// SPDX-License-Identifier: BSD-3-Clause
// Calls the ranks of the grid, enters the solve, and leaves it.
#include "solver/distributed/ranks/grid_root_sweep.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "frond/error.hpp"

namespace frond {
namespace {

// Conjugation is done by the SolveRoute.
Operation root_operation(SolveSide side) { return side == SolveSide::plain ? Operation::plain : Operation::transposed; }

RootFactors root_factors(SweepPart part) {
  return part == SweepPart::whole ? RootFactors::both : part == SweepPart::first ? RootFactors::first : RootFactors::second;
}

}  // namespace

template <Scalar S>
void GridRootSweep<S>::call(DenseView<const S> f, SweepPart part, const SolveRoute<S>& route) {
  rows_ = DenseMatrix<S>(f.cols, f.rows);
  for (Index i = 0; i < f.cols; ++i) {
    for (Index j = 0; j < f.rows; ++j) {
      rows_(i, j) = f(j, i);
    }
  }
  if (part == SweepPart::second) {
    route.turn(view());
  }
  factors_ = root_factors(part);
  operation_ = root_operation(route.side());
  const std::vector<std::byte> bytes = encoded(SolveMessage::enter_root, factors_, operation_, f.rows);
  for (const Rank rank : system_.mapping.root_grid().ranks) {
    if (rank != outbox_.rank()) {
      outbox_.send(rank, bytes);
      ++num_missing_;
    }
  }
  waits_to_enter_ = true;
  enter();
}

template <Scalar S>
void GridRootSweep<S>::enter() {
  if (waits_to_enter_ && outbox_.empty()) {
    waits_to_enter_ = false;
    system_.factors.root->solver->solve(factors_, operation_, view(), [] {});
  }
}

template <Scalar S>
void GridRootSweep<S>::finish(SweepPart part, const SolveRoute<S>& route, DenseView<S> f) const {
  for (Index i = 0; i < f.cols; ++i) {
    for (Index j = 0; j < f.rows; ++j) {
      f(j, i) = rows_(i, j);
    }
  }
  if (has_second(part)) {
    route.turn(f);
  }
}

template <Scalar S>
void GridRootSweep<S>::join(Rank master, RootFactors factors, Operation operation, Index num_rhs) {
  if (!system_.factors.root) {
    throw InternalError("a rank is called to solve with a root of which it has no part; do all processes solve the same system?");
  }
  const Index order = system_.factors.root->part.layout.order();
  system_.factors.root->solver->solve(factors, operation, {nullptr, order, num_rhs, std::max(order, 1)},
                                      [this, master] { outbox_.send(master, encoded(SolveMessage::root_solved)); });
}

template <Scalar S>
void GridRootSweep<S>::abandon(bool is_called) {
  if (system_.factors.root && (is_called || std::exchange(waits_to_enter_, false))) {
    system_.factors.root->solver->abandon();
  }
}

FROND_INSTANTIATE_CLASS(GridRootSweep)

}  // namespace frond
