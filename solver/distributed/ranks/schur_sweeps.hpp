// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves over several ranks with factors that leave a Schur complement.
#pragma once

#include <algorithm>
#include <utility>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_sweeps.hpp"
#include "solver/numerics/schur/schur_factor.hpp"

namespace frond {

/// A system whose factors leave a Schur complement, as one of its ranks knows it.
template <Scalar S>
struct SchurRankSystem {
  RankSystem<S> interior;
  const SchurFactor<S>* factor;  ///< to solve with, on rank 0; others need none
};

/// Runs the sweeps once, or, for SchurUse::solve, twice with the dense factors in between.
template <Scalar S>
class SchurSweeps final : public Sweeps<S> {
 public:
  SchurSweeps(const SchurRankSystem<S>& system, Outbox& outbox) : system_(system), sweeps_(system.interior, outbox) {}

  /// Only the whole, or the second part with A11 alone: other parts of factors that leave a Schur complement do not solve a named
  /// system.
  void start(const Sweep<S>& sweep) override {
    if (sweep.part != SweepPart::whole && !(sweep.part == SweepPart::second && sweep.use == SchurUse::expand)) {
      throw InternalError("factors that leave a Schur complement are not solved with part by part");
    }
    step_ = sweep;
    step_.wanted = {};
    has_second_step_ = sweep.use == SchurUse::solve;
    if (has_second_step_) {
      step_.use = SchurUse::condense;
      b_ = DenseMatrix<S>(sweep.x.rows, sweep.x.cols);
      for (Index j = 0; j < sweep.x.cols; ++j) {
        std::copy_n(sweep.x.column(j), sweep.x.rows, b_.column(j).begin());
      }
    }
    sweeps_.start(step_);
  }

  [[nodiscard]] bool take_solution() override {
    if (!sweeps_.take_solution()) {
      return false;
    }
    if (!std::exchange(has_second_step_, false)) {
      return true;
    }
    step_.use = SchurUse::expand;
    system_.factor->solve_rows(system_.interior.symbolic.schur_variables(), step_.operation, step_.x);
    restore_interior();
    sweeps_.start(step_);
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
      const Index row = symbolic.permutation().perm[variable];
      for (Index j = 0; j < step_.x.cols && (variable < kept_begin || variable >= kept_end); ++j) {
        step_.x(row, j) = b_(row, j);
      }
    }
  }

  SchurRankSystem<S> system_;
  RankSweeps<S> sweeps_;
  Sweep<S> step_;  // on rank 0, like the following members
  bool has_second_step_ = false;
  DenseMatrix<S> b_;
};

}  // namespace frond
