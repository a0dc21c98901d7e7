// SPDX-License-Identifier: BSD-3-Clause
// Implements iterative refinement in the working precision (Skeel 1980), column by column, with corrections solved together.
#include "solver/numerics/accuracy/refinement_course.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

template <Scalar S>
constexpr double kRoundingUnit = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

// The rounding of a rounding error, relative to the largest unknown: 1e-30 in double precision.
template <Scalar S>
constexpr double kNegligible = 20 * kRoundingUnit<S>* kRoundingUnit<S>;

// In chains of dependent equations corrections take effect one after the other, and the largest error stays for some steps: fewer
// missed equations count as progress unless the error grows by more than this factor.
constexpr double kFewerMayRaise = 2;

// The factor by which a correction lowers errors among rounding errors, if it lowers them at all.
constexpr double kShrinks = 0.125;

constexpr std::size_t kNumbersOfTask = 8192;  // numbers processed by one task

using Range = tbb::blocked_range<std::size_t>;

template <Scalar S>
void copy_numbers(std::span<const S> from, std::span<S> to) {
  tbb::parallel_for(Range(0, from.size(), kNumbersOfTask), [&](const Range& range) {
    const std::span<const S> part = from.subspan(range.begin(), range.size());
    std::copy(part.begin(), part.end(), to.begin() + static_cast<std::ptrdiff_t>(range.begin()));
  });
}

// Sums over some components of the difference d = r - p of two residuals, divided by the sizes of the equations. Sums are taken of
// numbers divided by `largest`, so that none overflows.
template <Scalar S>
struct DifferenceSums {
  using R = RealOf<S>;

  R largest = 0;         // |d_i|
  S with_last = S(0);    // d^H r
  double of_itself = 0;  // d^H d

  [[nodiscard]] DifferenceSums relative_to(R other) const {
    const R ratio = other > 0 ? largest / other : R(0);
    return {other, with_last * ratio * ratio, of_itself * static_cast<double>(ratio) * static_cast<double>(ratio)};
  }

  friend DifferenceSums operator+(const DifferenceSums& one, const DifferenceSums& other) {
    const R most = std::max(one.largest, other.largest);
    const DifferenceSums first = one.relative_to(most);
    const DifferenceSums second = other.relative_to(most);
    return {most, first.with_last + second.with_last, first.of_itself + second.of_itself};
  }
};

constexpr std::size_t kSummed = 256;  // numbers at a time

// Sums over a range of equations. Divisions are separate from sums, which depend on each other.
template <Scalar S>
DifferenceSums<S> sum_differences(std::span<const S> r, std::span<const S> p, std::span<const RealOf<S>> sizes) {
  using R = RealOf<S>;
  DifferenceSums<S> total;
  std::array<S, kSummed> differences;
  std::array<S, kSummed> residuals;
  for (std::size_t begin = 0; begin < r.size(); begin += kSummed) {
    const std::size_t count = std::min(kSummed, r.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const R size = sizes[begin + i];
      const R weight = R(1) / (size > 0 ? size : R(1));
      differences[i] = (r[begin + i] - p[begin + i]) * weight;
      residuals[i] = r[begin + i] * weight;
    }
    DifferenceSums<S> sums;
    sums.largest = largest_magnitude<S>(std::span(differences).first(count));
    const R scale = R(1) / sums.largest;
    if (sums.largest > 0 && std::isfinite(scale)) {
      for (std::size_t i = 0; i < count; ++i) {
        const S d = differences[i] * scale;
        sums.with_last += conjugate(d) * (residuals[i] * scale);
        sums.of_itself += std::norm(d);
      }
    }
    total = total + sums;
  }
  return total;
}

// The gamma that minimizes || W (r + gamma (p - r)) ||, W = diag(1 / sizes); 0 if that is NaN. Sums are taken over fixed ranges, so
// that they do not depend on the number of threads.
template <Scalar S>
S best_extrapolation(std::span<const S> r, std::span<const S> p, std::span<const RealOf<S>> sizes) {
  const DifferenceSums<S> sums = tbb::parallel_deterministic_reduce(
      Range(0, r.size(), kNumbersOfTask), DifferenceSums<S>{},
      [&](const Range& range, const DifferenceSums<S>& sum) {
        const auto part = [&](auto vector) { return vector.subspan(range.begin(), range.size()); };
        return sum + sum_differences<S>(part(r), part(p), part(sizes));
      },
      std::plus<>());
  const S gamma = sums.with_last / static_cast<RealOf<S>>(sums.of_itself);
  return is_finite(gamma) ? gamma : S(0);
}

}  // namespace

template <Scalar S>
double refinement_error(const ColumnReport& report, const RefinementOptions& options) {
  constexpr double kLeast = kRoundingUnit<S> * kRoundingUnit<S>;  // out of reach, and dividing errors by it does not overflow
  const double target = options.target > 0 ? std::clamp(options.target, kLeast, kComponentwiseAccuracy<S>) : 10 * kRoundingUnit<S>;
  return std::max(report.improvable_backward_error / target, report.normwise_backward_error / kAccuracyTarget<S>);
}

template <Scalar S>
bool is_better(const ColumnReport& report, const ColumnReport& other, const RefinementOptions& options) {
  const double error = refinement_error<S>(report, options);
  const double other_error = refinement_error<S>(other, options);
  if (is_inaccurate<S>(report) || is_inaccurate<S>(other)) {
    return report.num_missed_equations < other.num_missed_equations ? error <= kFewerMayRaise * other_error : error < other_error;
  }
  const auto rank = [](const ColumnReport& column, double size) {
    return std::tuple(column.num_negligible_equations, column.negligible_size, size);
  };
  return rank(report, error) < rank(other, other_error);
}

template <Scalar S>
RefinementCourse<S>::RefinementCourse(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports,
                                      const RefinementOptions& options, Observer* observer)
    : b_(b),
      x_(x),
      reports_(reports),
      options_(options),
      observer_(observer),
      columns_(static_cast<std::size_t>(b.cols)),
      stays_(columns_.size()),
      work_(static_cast<std::size_t>(b.rows) * columns_.size()),
      residuals_(work_.size()),
      shifts_(columns_.size()) {
  std::iota(columns_.begin(), columns_.end(), 0);
  for (Index j = 0; j < b.cols; ++j) {
    copy_numbers<S>(right_side(j), column_of(work_, j));
  }
}

template <Scalar S>
DenseView<S> RefinementCourse<S>::work() {
  return {work_.data(), b_.rows, static_cast<Index>(columns_.size()), std::max(b_.rows, Index{1})};
}

template <Scalar S>
std::span<const S> RefinementCourse<S>::right_side(Index k) const {
  return {b_.column(column(k)), static_cast<std::size_t>(b_.rows)};
}

template <Scalar S>
void RefinementCourse<S>::form_candidate(Index k) {
  const std::span<S> candidate = column_of(work_, k);
  if (step_ > 0) {
    const std::span<S> change = column_of(changes_, k);
    const S* x = x_.column(column(k));
    const S shift = shifts_[k];
    const bool is_shifted = step_ > 1;
    tbb::parallel_for(Range(0, candidate.size(), kNumbersOfTask), [&](const Range& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        change[i] = is_shifted ? shift * change[i] + candidate[i] : candidate[i];
        candidate[i] = x[i] + change[i];
      }
    });
    const ColumnReport& last = reports_[column(k)];
    if (last.num_missed_equations > 0 || last.num_negligible_equations > 0) {
      drop_rounding_errors(k);
    }
    return;
  }
  const std::span<const S> b = right_side(k);
  if (std::all_of(b.begin(), b.end(), [](S value) { return value == S(0); })) {
    std::fill(candidate.begin(), candidate.end(), S(0));
  }
}

// An unknown that is smaller than its correction, and at most a rounding error of a rounding error, is set to 0. If it is not 0,
// the next correction restores it, and then makes up all of it.
template <Scalar S>
void RefinementCourse<S>::drop_rounding_errors(Index k) {
  using R = RealOf<S>;
  const std::span<S> candidate = column_of(work_, k);
  const std::span<const S> change = column_of(changes_, k);
  const double negligible = kNegligible<S> * static_cast<double>(largest_magnitude<S>(candidate));
  tbb::parallel_for(Range(0, candidate.size(), kNumbersOfTask), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const R size = std::abs(candidate[i]);
      if (size <= negligible && size < std::abs(change[i])) {
        candidate[i] = S(0);
      }
    }
  });
}

template <Scalar S>
void RefinementCourse<S>::judge(Index k, const ColumnReport& measured) {
  ColumnReport& best = reports_[column(k)];
  const double error = refinement_error<S>(measured, options_);
  const ColumnReport previous = best;
  const bool is_first = step_ == 0;
  const bool is_best = is_first || is_better<S>(measured, previous, options_);
  if (is_best) {
    best = measured;
    best.refinement_steps = step_;
    copy_numbers<S>(candidate(k), {x_.column(column(k)), static_cast<std::size_t>(b_.rows)});
  }
  const bool improves = error > 1 && (is_first || error <= refinement_error<S>(previous, options_) / 2 ||
                                      measured.num_missed_equations < previous.num_missed_equations);
  const bool clears =
      measured.num_negligible_equations > 0 &&
      (previous.num_negligible_equations == 0 || measured.num_negligible_equations < previous.num_negligible_equations ||
       measured.negligible_size <= kShrinks * previous.negligible_size);
  const bool is_worth_another = is_best && std::isfinite(error) && (improves || clears);
  stays_[k] = is_worth_another && step_ < options_.max_steps ? 1 : 0;
}

// Solves next for the residuals of the columns that stay.
template <Scalar S>
void RefinementCourse<S>::advance(std::span<const RealOf<S>> equation_sizes) {
  ++step_;
  keep_columns();
  if (ended()) {
    return;
  }
  if (observer_ != nullptr) {
    observer_->refinement_step(step_);
  }
  if (step_ == 1) {
    const std::size_t size = static_cast<std::size_t>(b_.rows) * columns_.size();
    changes_ = Columns(size);
    last_residuals_ = Columns(size);
    copy_numbers<S>(residuals_.part(0, size), last_residuals_.part(0, size));
  } else {
    for (Index k = 0; k < static_cast<Index>(columns_.size()); ++k) {
      extrapolate(k, equation_sizes);
    }
  }
  std::swap(work_, residuals_);
}

template <Scalar S>
void RefinementCourse<S>::keep_columns() {
  const auto move = [this](Columns& columns, std::size_t from, std::size_t to) {
    copy_numbers<S>(column_of(columns, static_cast<Index>(from)), column_of(columns, static_cast<Index>(to)));
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

// Updates the residual to that of x + change, on the line through x and the previous iterate.
template <Scalar S>
void RefinementCourse<S>::extrapolate(Index k, std::span<const RealOf<S>> equation_sizes) {
  const std::span<S> residual = column_of(residuals_, k);
  const std::span<S> last = column_of(last_residuals_, k);
  const S gamma = best_extrapolation<S>(residual, last, equation_sizes);
  shifts_[k] = -gamma;
  tbb::parallel_for(Range(0, residual.size(), kNumbersOfTask), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const S own = residual[i];
      residual[i] += gamma * (last[i] - own);
      last[i] = own;
    }
  });
}

#define FROND_INSTANTIATE(S)                                                                      \
  template double refinement_error<S>(const ColumnReport&, const RefinementOptions&);             \
  template bool is_better<S>(const ColumnReport&, const ColumnReport&, const RefinementOptions&); \
  template class RefinementCourse<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
