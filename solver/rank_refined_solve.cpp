// SPDX-License-Identifier: BSD-3-Clause
// Solve, measure, judge, again.
#include "solver/rank_refined_solve.hpp"

#include <tbb/parallel_for.h>

namespace frond {

template <Scalar S>
void RankRefinedSolve<S>::solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) {
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
    this->end_block();
  } else {
    this->sweeps().start(this->operation(), course_->work());
  }
}

template class RankRefinedSolve<float>;
template class RankRefinedSolve<double>;
template class RankRefinedSolve<std::complex<float>>;
template class RankRefinedSolve<std::complex<double>>;

}  // namespace frond
