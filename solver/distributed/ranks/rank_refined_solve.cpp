// SPDX-License-Identifier: BSD-3-Clause
// Solves, measures, judges, and repeats.
#include "solver/distributed/ranks/rank_refined_solve.hpp"

#include <tbb/parallel_for.h>

namespace frond {

template <Scalar S>
void RankRefinedSolve<S>::solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) {
  b_ = b;
  x_ = x;
  reports_ = reports;
  course_.emplace(b, x, reports, options_, observer_);
  this->sweeps().start({this->operation(), course_->work()});
}

template <Scalar S>
bool RankRefinedSolve<S>::proceed() {
  if (this->sweeps().take_solution()) {
    if (krylov_) {
      meter_.start(krylov_->work());
      return true;
    }
    tbb::parallel_for(Index{0}, course_->work().cols, [this](Index k) { course_->form_candidate(k); });
    meter_.start(course_->work());
    return true;
  }
  if (meter_.take_products()) {
    if (krylov_) {
      judge_krylov();
    } else {
      judge();
    }
    return true;
  }
  return false;
}

template <Scalar S>
void RankRefinedSolve<S>::judge() {
  tbb::parallel_for(Index{0}, course_->work().cols, [this](Index k) {
    course_->judge(k,
                   meter_.measure(k, course_->right_side(k), course_->candidate(k), course_->residual(k), course_->correction(k)));
  });
  course_->advance(meter_.equation_sizes());
  if (course_->ended()) {
    course_.reset();
    next_krylov(0);
  } else {
    this->sweeps().start({this->operation(), course_->work()});
  }
}

// Continues with the first stalled column from `column` on; if there is none, the block is done.
template <Scalar S>
void RankRefinedSolve<S>::next_krylov(Index column) {
  krylov_.reset();
  const auto length = static_cast<std::size_t>(b_.rows);
  for (; column < b_.cols && options_.max_krylov_steps > 0; ++column) {
    ColumnReport& report = reports_[column];
    if (wants_krylov<S>(report)) {
      const std::span<const S> b(b_.column(column), length);
      const std::span<S> x(x_.column(column), length);
      krylov_.emplace(b, x, report, meter_.sizes(b, x), options_);
      krylov_column_ = column;
      continue_krylov();
      return;
    }
  }
  keep_columns();
  this->end_block();
}

template <Scalar S>
void RankRefinedSolve<S>::continue_krylov() {
  if (krylov_->solves()) {
    this->sweeps().start({this->operation(), krylov_->work()});
  } else {
    meter_.start(krylov_->work());
  }
}

template <Scalar S>
void RankRefinedSolve<S>::judge_krylov() {
  krylov_->take(meter_.measure(0, krylov_->right_side(), krylov_->candidate(), krylov_->residual(), krylov_->correction()));
  if (krylov_->ended()) {
    next_krylov(krylov_column_ + 1);
  } else {
    continue_krylov();
  }
}

template <Scalar S>
void RankRefinedSolve<S>::keep_columns() {
  for (Index j = 0; j < b_.cols && kept_.size() < kept_.num_wanted(); ++j) {
    const auto order = static_cast<std::size_t>(b_.rows);
    kept_.add_copies({b_.column(j), order}, {x_.column(j), order});
  }
}

FROND_INSTANTIATE_CLASS(RankRefinedSolve)

}  // namespace frond
