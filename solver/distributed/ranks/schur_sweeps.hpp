// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves over several ranks with factors that leave a Schur complement.
#pragma once

#include <algorithm>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_sweeps.hpp"
#include "solver/numerics/schur/schur_factor.hpp"
#include "solver/numerics/sweeps/schur_use.hpp"

namespace frond {

/// A system whose factors leave a Schur complement, as one of its ranks knows it.
template <Scalar S>
struct SchurRankSystem {
  RankSystem<S> interior;
  SchurUse use;                  ///< the same on all ranks
  const SchurFactor<S>* factor;  ///< to solve with, on rank 0; others need none
};

/// Runs the sweeps once, or, for SchurUse::solve, twice with the dense factors in between.
template <Scalar S>
class SchurSweeps final : public Sweeps<S> {
 public:
  SchurSweeps(const SchurRankSystem<S>& system, Outbox& outbox) : system_(system), sweeps_(system.interior, outbox) {}

  /// Only the whole, or the second part with A11 alone: other parts of factors that leave a Schur complement do not solve a named
  /// system.
  void start(SweepPart part, Operation operation, DenseView<S> x) override {
    if (part != SweepPart::whole && !(part == SweepPart::second && system_.use == SchurUse::expand)) {
      throw InternalError("factors that leave a Schur complement are not solved with part by part");
    }
    operation_ = operation;
    x_ = x;
    step_ = system_.use == SchurUse::expand ? SchurStep::expand : SchurStep::condense;
    if (system_.use == SchurUse::solve) {
      b_ = DenseMatrix<S>(x.rows, x.cols);
      for (Index j = 0; j < x.cols; ++j) {
        std::copy_n(x.column(j), x.rows, b_.column(j).begin());
      }
    }
    sweeps_.start_step(step_, part, operation, x);
  }

  [[nodiscard]] bool take_solution() override {
    if (!sweeps_.take_solution()) {
      return false;
    }
    if (system_.use != SchurUse::solve || step_ == SchurStep::expand) {
      return true;
    }
    step_ = SchurStep::expand;
    system_.factor->solve_rows(system_.interior.symbolic.schur_variables(), operation_, x_);
    restore_interior();
    sweeps_.start_step(step_, SweepPart::whole, operation_, x_);
    return take_solution();  // no other rank may have to send anything
  }

  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override {
    return sweeps_.receive(kind, from, reader);
  }
  void on_room() override { sweeps_.on_room(); }
  void abandon(SolveMessage kind) override { sweeps_.abandon(kind); }

 private:
  // Restores the rows of b1, which the first sweeps have overwritten.
  void restore_interior() {
    const Symbolic& symbolic = system_.interior.symbolic;
    const Index kept_begin = symbolic.tree().variable_begin(symbolic.tree().schur_node());
    const Index kept_end = kept_begin + symbolic.schur_order();
    for (Index variable = 0; variable < symbolic.order(); ++variable) {
      const Index row = symbolic.permutation().perm[static_cast<std::size_t>(variable)];
      for (Index j = 0; j < x_.cols && (variable < kept_begin || variable >= kept_end); ++j) {
        x_(row, j) = b_(row, j);
      }
    }
  }

  SchurRankSystem<S> system_;
  RankSweeps<S> sweeps_;
  Operation operation_ = Operation::plain;  // on rank 0, like the following members
  DenseView<S> x_;
  SchurStep step_ = SchurStep::condense;
  DenseMatrix<S> b_;
};

}  // namespace frond
