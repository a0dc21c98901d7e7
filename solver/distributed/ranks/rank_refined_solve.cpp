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
    if (column_course_) {
      meter_.start(column_course_->work());
      return true;
    }
    tbb::parallel_for(Index{0}, course_->work().cols, [this](Index k) { course_->form_candidate(k); });
    meter_.start(course_->work());
    return true;
  }
  if (meter_.take_products()) {
    if (column_course_) {
      judge_column();
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
    column_ = 0;
    turn_ = 0;
    start_columns();
  } else {
    this->sweeps().start({this->operation(), course_->work()});
  }
}

// Starts the next course of a column; if there is none, the block is done.
template <Scalar S>
void RankRefinedSolve<S>::start_columns() {
  const auto length = static_cast<std::size_t>(b_.rows);
  for (column_course_.reset(); column_ < b_.cols; ++column_, turn_ = 0) {
    const std::span<const S> b(b_.column(column_), length);
    const std::span<S> x(x_.column(column_), length);
    column_course_ = next_course<S>(turn_, b, x, reports_[column_], options_, [&] { return meter_.sizes(b, x); });
    if (column_course_) {
      continue_column();
      return;
    }
  }
  keep_columns();
  this->end_block();
}

template <Scalar S>
void RankRefinedSolve<S>::continue_column() {
  if (column_course_->solves()) {
    this->sweeps().start({this->operation(), column_course_->work()});
  } else {
    meter_.start(column_course_->work());
  }
}

template <Scalar S>
void RankRefinedSolve<S>::judge_column() {
  ColumnCourse<S>& course = *column_course_;
  course.take(meter_.measure(0, course.right_side(), course.candidate(), course.residual(), course.correction()));
  if (course.ended()) {
    start_columns();
  } else {
    continue_column();
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
