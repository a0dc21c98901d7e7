// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement in the working precision (Skeel 1980), column by column, corrections solved together.
#include "solver/refinement_course.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "solver/finite.hpp"

namespace frond {
namespace {

template <Scalar S>
constexpr double kRoundingUnit = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

constexpr std::size_t kGrain = 8192;  // numbers looked at by one task

using Range = tbb::blocked_range<std::size_t>;

template <Scalar S>
void copy_numbers(std::span<const S> from, std::span<S> to) {
  tbb::parallel_for(Range(0, from.size(), kGrain), [&](const Range& range) {
    const std::span<const S> part = from.subspan(range.begin(), range.size());
    std::copy(part.begin(), part.end(), to.begin() + static_cast<std::ptrdiff_t>(range.begin()));
  });
}

// Of the difference d = r - p of two residuals, scaled; sums over some equations.
template <Scalar S>
struct DifferenceSums {
  S with_last = S(0);    // d^H r
  double of_itself = 0;  // d^H d

  friend DifferenceSums operator+(const DifferenceSums& one, const DifferenceSums& other) {
    return {one.with_last + other.with_last, one.of_itself + other.of_itself};
  }
};

// gamma for which || W (r + gamma (p - r)) || is smallest, W = diag(1 / sizes); 0 if that is no number. Sums are taken over fixed
// ranges, so that they do not depend on the number of threads.
template <Scalar S>
S best_extrapolation(std::span<const S> r, std::span<const S> p, std::span<const RealOf<S>> sizes) {
  using R = RealOf<S>;
  const auto scaled = [&](std::size_t i, S value) { return value / (sizes[i] > 0 ? sizes[i] : R(1)); };
  const R largest = tbb::parallel_reduce(
      Range(0, r.size(), kGrain), R(0),
      [&](const Range& range, R so_far) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          so_far = std::max<R>(so_far, std::abs(scaled(i, r[i] - p[i])));
        }
        return so_far;
      },
      [](R one, R other) { return std::max(one, other); });
  if (!(largest > 0) || !std::isfinite(largest)) {
    return S(0);
  }
  const DifferenceSums<S> sums = tbb::parallel_deterministic_reduce(
      Range(0, r.size(), kGrain), DifferenceSums<S>{},
      [&](const Range& range, DifferenceSums<S> sum) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const S d = scaled(i, r[i] - p[i]) / largest;
          sum.with_last += conjugate(d) * (scaled(i, r[i]) / largest);
          sum.of_itself += std::norm(d);
        }
        return sum;
      },
      std::plus<>());
  const S gamma = sums.with_last / static_cast<R>(sums.of_itself);
  return is_finite(gamma) ? gamma : S(0);
}

}  // namespace

template <Scalar S>
double refinement_error(const ColumnReport& report, const RefinementOptions& options) {
  constexpr double kLeast = kRoundingUnit<S> * kRoundingUnit<S>;  // out of reach, and errors divided by it are numbers
  const double target = options.target > 0 ? std::clamp(options.target, kLeast, kComponentwiseAccuracy<S>) : 10 * kRoundingUnit<S>;
  return std::max(report.componentwise_backward_error / target, report.normwise_backward_error / kAccuracyTarget<S>);
}

template <Scalar S>
RefinementCourse<S>::RefinementCourse(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports,
                                      const RefinementOptions& options)
    : b_(b),
      x_(x),
      reports_(reports),
      options_(options),
      columns_(static_cast<std::size_t>(b.cols)),
      stays_(columns_.size()),
      work_(b.rows, b.cols),
      residuals_(b.rows, b.cols) {
  std::iota(columns_.begin(), columns_.end(), 0);
  for (Index j = 0; j < b.cols; ++j) {
    copy_numbers<S>(right_side(j), work_.column(j));
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
    const std::span<S> change = changes_.column(k);
    const S* x = x_.column(column(k));
    tbb::parallel_for(Range(0, candidate.size(), kGrain), [&](const Range& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        change[i] += candidate[i];
        candidate[i] = x[i] + change[i];
      }
    });
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
  const double error = refinement_error<S>(measured, options_);
  const bool is_first = step_ == 0;
  const double previous_error = is_first ? std::numeric_limits<double>::infinity() : refinement_error<S>(best, options_);
  const bool is_better = is_first || error < previous_error;
  if (is_better) {
    best = measured;
    best.refinement_steps = step_;
    copy_numbers<S>(work_.column(k), {x_.column(column(k)), static_cast<std::size_t>(b_.rows)});
  }
  const bool is_worth_another = is_better && std::isfinite(error) && error > 1 && error <= previous_error / 2;
  stays_[static_cast<std::size_t>(k)] = is_worth_another && step_ < options_.max_steps ? 1 : 0;
}

// The residuals of the columns that stay are solved for next.
template <Scalar S>
void RefinementCourse<S>::advance(std::span<const RealOf<S>> equation_sizes) {
  ++step_;
  keep_columns();
  if (ended()) {
    return;
  }
  if (step_ == 1) {
    changes_ = DenseMatrix<S>(b_.rows, static_cast<Index>(columns_.size()));
    last_residuals_ = residuals_;
  } else {
    for (Index k = 0; k < static_cast<Index>(columns_.size()); ++k) {
      extrapolate(k, equation_sizes);
    }
  }
  std::swap(work_, residuals_);
}

template <Scalar S>
void RefinementCourse<S>::keep_columns() {
  const auto move = [this](DenseMatrix<S>& matrix, std::size_t from, std::size_t to) {
    std::copy_n(matrix.column(static_cast<Index>(from)).begin(), b_.rows, matrix.column(static_cast<Index>(to)).begin());
  };
  std::size_t kept = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (stays_[k] == 0) {
      continue;
    }
    if (kept < k) {
      columns_[kept] = columns_[k];
      move(residuals_, k, kept);
      if (step_ > 1) {
        move(changes_, k, kept);
        move(last_residuals_, k, kept);
      }
    }
    ++kept;
  }
  columns_.resize(kept);
}

// The residual becomes that of x + change, on the line through x and the iterate before.
template <Scalar S>
void RefinementCourse<S>::extrapolate(Index k, std::span<const RealOf<S>> equation_sizes) {
  const std::span<S> residual = residuals_.column(k);
  const std::span<S> last = last_residuals_.column(k);
  const std::span<S> change = changes_.column(k);
  const S gamma = best_extrapolation<S>(residual, last, equation_sizes);
  tbb::parallel_for(Range(0, residual.size(), kGrain), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const S own = residual[i];
      residual[i] += gamma * (last[i] - own);
      last[i] = own;
      change[i] *= -gamma;
    }
  });
}

template double refinement_error<float>(const ColumnReport&, const RefinementOptions&);
template class RefinementCourse<float>;
template double refinement_error<double>(const ColumnReport&, const RefinementOptions&);
template class RefinementCourse<double>;
template double refinement_error<std::complex<float>>(const ColumnReport&, const RefinementOptions&);
template class RefinementCourse<std::complex<float>>;
template double refinement_error<std::complex<double>>(const ColumnReport&, const RefinementOptions&);
template class RefinementCourse<std::complex<double>>;

}  // namespace frond
