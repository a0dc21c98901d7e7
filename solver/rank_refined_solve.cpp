// SPDX-License-Identifier: BSD-3-Clause
// Solve, measure, judge, again.
#include "solver/rank_refined_solve.hpp"

#include <tbb/parallel_for.h>

namespace frond {

template <Scalar S>
void RankRefinedSolve<S>::solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) {
  b_ = b;
  x_ = x;
  course_.emplace(b, x, reports, max_steps_);
  this->sweeps().start(this->operation(), course_->work());
}

template <Scalar S>
bool RankRefinedSolve<S>::proceed() {
  if (this->sweeps().take_solution()) {
    tbb::parallel_for(Index{0}, course_->work().cols, [this](Index k) { course_->form_candidate(k); });
    meter_.start(course_->work());
    return true;
  }
  if (meter_.take_products()) {
    judge();
    return true;
  }
  return false;
}

template <Scalar S>
void RankRefinedSolve<S>::judge() {
  tbb::parallel_for(Index{0}, course_->work().cols, [this](Index k) {
    course_->judge(k, meter_.measure(k, course_->right_side(k), course_->candidate(k), course_->residual(k)));
  });
  course_->advance();
  if (course_->ended()) {
    keep_columns();
    this->end_block();
  } else {
    this->sweeps().start(this->operation(), course_->work());
  }
}

template <Scalar S>
void RankRefinedSolve<S>::keep_columns() {
  for (Index j = 0; j < b_.cols && static_cast<Index>(kept_.b.size()) < kept_.num_wanted; ++j) {
    kept_.b.emplace_back(b_.column(j), b_.column(j) + b_.rows);
    kept_.x.emplace_back(x_.column(j), x_.column(j) + x_.rows);
  }
}

template class RankRefinedSolve<float>;
template class RankRefinedSolve<double>;
template class RankRefinedSolve<std::complex<float>>;
template class RankRefinedSolve<std::complex<double>>;

}  // namespace frond
