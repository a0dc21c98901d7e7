// SPDX-License-Identifier: BSD-3-Clause
// Implements refinement by refined corrections.
#include "solver/numerics/accuracy/doubled_course.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

constexpr int kMostCorrections = 3;
constexpr int kMostSolves = 4;  // for one correction

bool has_unmet(const ColumnReport& report) { return report.num_missed_equations > 0 || report.num_negligible_equations > 0; }

}  // namespace

bool wants_doubled(const ColumnReport& report, const RefinementOptions& options) {
  return has_unmet(report) && std::isfinite(report.normwise_backward_error) && report.refinement_steps < options.max_steps;
}

template <Scalar S>
void DoubledCourse<S>::take(const ColumnReport& measured) {
  switch (stage_) {
    case Stage::measures:
      begin_correction();
      break;
    case Stage::solves:
      refine_correction();
      break;
    case Stage::adds:
      judge(measured);
      break;
  }
}

// Solves next for the residual of x.
template <Scalar S>
void DoubledCourse<S>::begin_correction() {
  stage_ = Stage::solves;
  num_solves_ = 0;
  has_improved_ = false;
  change_.assign(this->work_.size(), S(0));
  side_ = this->residual_;
  this->work_ = side_;
}

// The candidate is a part of the correction.
template <Scalar S>
void DoubledCourse<S>::refine_correction() {
  constexpr double kEps = std::numeric_limits<RealOf<S>>::epsilon();
  std::transform(change_.begin(), change_.end(), this->work_.begin(), change_.begin(), std::plus<>());
  const auto size = static_cast<double>(largest_magnitude<S>(std::span<const S>(this->work_)));
  const auto whole = static_cast<double>(largest_magnitude<S>(std::span<const S>(change_)));
  ++num_solves_;
  if (!std::isfinite(size) || !std::isfinite(whole) || (num_solves_ > 1 && !(size <= last_size_ / 2))) {
    this->end();  // the factors are not good enough
    return;
  }
  last_size_ = size;
  if (num_solves_ > 1 && (size <= kEps * whole || num_solves_ == kMostSolves)) {
    stage_ = Stage::adds;
    has_dropped_ = false;
    std::transform(this->x_.begin(), this->x_.end(), change_.begin(), this->work_.begin(), std::plus<>());
    return;
  }
  side_ = this->residual_;
  this->work_ = side_;
}

template <Scalar S>
void DoubledCourse<S>::judge(const ColumnReport& measured) {
  const int steps = this->report_.refinement_steps + (has_improved_ ? 0 : 1);
  has_improved_ = this->keep_if_better(measured, steps, this->report_.krylov_steps) || has_improved_;
  const bool goes_on = has_improved_ && num_corrections_ + 1 < kMostCorrections && wants_doubled(this->report_, this->options_);
  if (has_unmet(this->report_) && !has_dropped_) {
    drop_rounding_errors();
  } else if (has_unmet(this->report_) && goes_on) {
    ++num_corrections_;
    stage_ = Stage::measures;
    std::copy(this->x_.begin(), this->x_.end(), this->work_.begin());
  } else {
    this->end();
  }
}

// Sets to 0 what the correction makes up, if it is no more than what the rounding of the correction, or of that of x, may be.
template <Scalar S>
void DoubledCourse<S>::drop_rounding_errors() {
  using R = RealOf<S>;
  constexpr R kUnit = 20 * std::numeric_limits<R>::epsilon();
  has_dropped_ = true;
  const R most = kUnit * std::max(largest_magnitude<S>(std::span<const S>(change_)),
                                  kUnit * largest_magnitude<S>(std::span<const S>(this->work_)));
  std::transform(this->work_.begin(), this->work_.end(), change_.begin(), this->work_.begin(),
                 [most](S value, S change) { return std::abs(value) <= std::min(most, std::abs(change)) ? S(0) : value; });
}

FROND_INSTANTIATE_CLASS(DoubledCourse)

}  // namespace frond
