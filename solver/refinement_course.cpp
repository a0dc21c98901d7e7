// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement in the working precision (Skeel 1980), column by column, corrections solved together.
#include "solver/refinement_course.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace frond {
namespace {

template <Scalar S>
constexpr double kComponentwiseTarget = 10 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

}  // namespace

template <Scalar S>
double refinement_error(const ColumnReport& report) {
  return std::max(report.componentwise_backward_error / kComponentwiseTarget<S>,
                  report.normwise_backward_error / kAccuracyTarget<S>);
}

template <Scalar S>
RefinementCourse<S>::RefinementCourse(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports, int max_steps)
    : b_(b),
      x_(x),
      reports_(reports),
      max_steps_(max_steps),
      columns_(static_cast<std::size_t>(b.cols)),
      stays_(columns_.size()),
      work_(b.rows, b.cols),
      residuals_(b.rows, b.cols) {
  std::iota(columns_.begin(), columns_.end(), 0);
  for (Index j = 0; j < b.cols; ++j) {
    std::copy_n(b.column(j), b.rows, work_.column(j).begin());
  }
}

template <Scalar S>
DenseView<S> RefinementCourse<S>::work() {
  return {work_.values.data(), b_.rows, static_cast<Index>(columns_.size()), std::max(b_.rows, Index{1})};
}

template <Scalar S>
std::span<const S> RefinementCourse<S>::right_side(Index k) const {
  return {b_.column(column(k)), static_cast<std::size_t>(b_.rows)};
}

template <Scalar S>
void RefinementCourse<S>::form_candidate(Index k) {
  const std::span<S> candidate = work_.column(k);
  if (step_ > 0) {
    std::transform(candidate.begin(), candidate.end(), x_.column(column(k)), candidate.begin(), std::plus<>());
    return;
  }
  const std::span<const S> b = right_side(k);
  if (std::all_of(b.begin(), b.end(), [](S value) { return value == S(0); })) {
    std::fill(candidate.begin(), candidate.end(), S(0));
  }
}

template <Scalar S>
void RefinementCourse<S>::judge(Index k, const ColumnReport& measured) {
  ColumnReport& best = reports_[static_cast<std::size_t>(column(k))];
  const double error = refinement_error<S>(measured);
  const bool is_first = step_ == 0;
  const double previous_error = is_first ? std::numeric_limits<double>::infinity() : refinement_error<S>(best);
  const bool is_better = is_first || error < previous_error;
  if (is_better) {
    best = measured;
    best.refinement_steps = step_;
    std::copy_n(work_.column(k).begin(), b_.rows, x_.column(column(k)));
  }
  const bool is_worth_another = is_better && std::isfinite(error) && error > 1 && error <= previous_error / 2;
  stays_[static_cast<std::size_t>(k)] = is_worth_another && step_ < max_steps_ ? 1 : 0;
}

// The residuals of the columns that stay are solved for next.
template <Scalar S>
void RefinementCourse<S>::advance() {
  ++step_;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (stays_[k] != 0) {
      if (kept < k) {
        columns_[kept] = columns_[k];
        std::copy_n(residuals_.column(static_cast<Index>(k)).begin(), b_.rows, residuals_.column(static_cast<Index>(kept)).begin());
      }
      ++kept;
    }
  }
  columns_.resize(kept);
  std::swap(work_, residuals_);
}

template double refinement_error<float>(const ColumnReport&);
template class RefinementCourse<float>;
template double refinement_error<double>(const ColumnReport&);
template class RefinementCourse<double>;
template double refinement_error<std::complex<float>>(const ColumnReport&);
template class RefinementCourse<std::complex<float>>;
template double refinement_error<std::complex<double>>(const ColumnReport&);
template class RefinementCourse<std::complex<double>>;

}  // namespace frond
