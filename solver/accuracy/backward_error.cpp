// SPDX-License-Identifier: BSD-3-Clause
// Normwise and componentwise backward errors.
#include "solver/accuracy/backward_error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "factorization/kernels/lanes.hpp"
#include "solver/accuracy/wide_sum.hpp"
#include "solver/problem/finite.hpp"
#include "solver/problem/report.hpp"

namespace frond {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::size_t kGrain = 8192;  // numbers looked at by one task

using Range = tbb::blocked_range<std::size_t>;

constexpr std::size_t kBlock = 64;  // numbers compared at once with the largest so far

// Few blocks hold more than was found in those before: the others need no division, and nothing wide.
template <class Visit>
void for_each_block(const Range& range, const Visit& visit) {
  for (std::size_t begin = range.begin(); begin < range.end(); begin += kBlock) {
    visit(Range(begin, std::min(range.end(), begin + kBlock)));
  }
}

// Whether condition(i), a vector of masks, holds for all lanes from i on, for a whole block. Complex numbers are left to the
// caller.
template <Scalar S, class Condition>
bool holds_for_all(const Range& block, const Condition& condition) {
  if constexpr (kIsComplex<S>) {
    return false;
  } else {
    if (block.size() < kBlock) {
      return false;
    }
    auto holds = condition(block.begin());
    for (std::size_t i = block.begin() + Lanes<S>::kCount; i < block.end(); i += Lanes<S>::kCount) {
      holds &= condition(i);
    }
    bool all = true;
    for (Index lane = 0; lane < Lanes<S>::kCount; ++lane) {
      all = all && holds[lane] != 0;
    }
    return all;
  }
}

template <class Vector>
Vector magnitudes(const Vector& values) {
  return values < 0 ? -values : values;
}

// Less than `largest`, whatever is rounded in a comparison with it.
template <class R, class T>
R somewhat_less(T largest) {
  return static_cast<R>(std::min(largest * (1 - 8 * static_cast<T>(std::numeric_limits<R>::epsilon())),
                                 static_cast<T>(std::numeric_limits<R>::max())));
}

// The largest |x_j / scales_j| of a range of a finite x, if that is more than `largest`.
template <Scalar S>
long double largest_scaled(std::span<const S> x, std::span<const RealOf<S>> scales, const Range& range, long double largest) {
  using R = RealOf<S>;
  for_each_block(range, [&](const Range& block) {
    const R reached = somewhat_less<R>(largest);
    if (holds_for_all<S>(block,
                         [&](auto j) { return magnitudes(Lanes<S>::load(&x[j])) <= reached * Lanes<R>::load(&scales[j]); })) {
      return;
    }
    for (std::size_t j = block.begin(); j < block.end(); ++j) {
      const long double magnitude = std::abs(x[j]);
      if (magnitude > largest * static_cast<long double>(scales[j])) {  // a division takes longer
        largest = magnitude / static_cast<long double>(scales[j]);
      }
    }
  });
  return largest;
}

// residual / scale with 0 / 0 = 0, infinite when it is no number. Wide, because the product of two norms may leave the range of
// double.
double error_ratio(long double residual, long double scale) {
  if (residual == 0) {
    return 0;
  }
  const auto ratio = static_cast<double>(residual / scale);
  return std::isfinite(ratio) && std::isfinite(scale) ? ratio : kInfinity;
}

// largest := max(largest, error_ratio(residual, scale)).
void take_ratio(long double residual, long double scale, double& largest) {
  if (residual > largest * scale || !std::isfinite(scale)) {  // a division takes longer
    largest = std::max(largest, error_ratio(residual, scale));
  }
}

}  // namespace

template <Scalar S>
ErrorScale<S>::ErrorScale(RowSums<R> row_sums, std::span<const R> scales)
    : scales_(scales),
      plain_sums_(std::move(row_sums.plain)),
      scaled_sums_(std::move(row_sums.scaled)),
      norm_(plain_sums_.empty() ? R(0) : *std::max_element(plain_sums_.begin(), plain_sums_.end())) {}

// Magnitudes; infinite where an entry is no finite number.
template <Scalar S>
struct ErrorScale<S>::Largest {
  R b = 0;
  R x = 0;
  R residual = 0;
  long double scaled_x = 0;  // |x_j / scales_j|

  [[nodiscard]] bool is_finite() const { return std::isfinite(x) && std::isfinite(residual); }

  friend Largest operator+(const Largest& one, const Largest& other) {
    return {std::max(one.b, other.b), std::max(one.x, other.x), std::max(one.residual, other.residual),
            std::max(one.scaled_x, other.scaled_x)};
  }
};

// residual := b - product, in ranges short enough that what is read again is near.
template <Scalar S>
auto ErrorScale<S>::subtract(std::span<const S> b, std::span<const S> x, const WideVector<const S>& product,
                             std::span<S> residual) const -> Largest {
  const auto of_range = [&](const Range& range, const Largest& so_far) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      residual[i] = wide_difference(b[i], product.high[i], product.low[i]);
    }
    const auto largest_in = [&](std::span<const S> vector) {
      return largest_magnitude<S>(vector.subspan(range.begin(), range.size()));
    };
    Largest largest = so_far + Largest{largest_in(b), largest_in(x), largest_in(residual), 0};
    if (std::isfinite(largest.x) && !scales_.empty()) {
      largest.scaled_x = largest_scaled<S>(x, scales_, range, largest.scaled_x);
    }
    return largest;
  };
  Largest largest = tbb::parallel_reduce(Range(0, b.size(), kGrain), Largest{}, of_range, std::plus<>(), tbb::simple_partitioner());
  if (scales_.empty()) {
    largest.scaled_x = largest.x;
  }
  return largest;
}

template <Scalar S>
ColumnReport ErrorScale<S>::measure(std::span<const S> b, std::span<const S> x, const WideVector<const S>& product,
                                    std::span<const R> products, std::span<S> residual) const {
  const Largest largest = subtract(b, x, product, residual);
  ColumnReport report;
  if (largest.is_finite()) {
    report.normwise_backward_error = error_ratio(largest.residual, static_cast<long double>(norm_) * largest.x + largest.b);
    // The safe denominators of equations that are rounding errors can be larger than those of the norms: what changes of entries
    // by their own size cannot explain better than changes by the norm of all.
    const auto measure_within = [&](R most_x) {
      return std::max(componentwise(b, residual, products, largest.scaled_x, most_x), report.normwise_backward_error);
    };
    report.componentwise_backward_error = measure_within(largest.x);
    report.excused_backward_error = report.componentwise_backward_error;
    if (!scales_.empty() && report.componentwise_backward_error > kComponentwiseAccuracy<S>) {
      report.excused_backward_error =
          std::min(report.componentwise_backward_error, measure_within(std::numeric_limits<R>::infinity()));
    }
  } else {
    report.normwise_backward_error = kInfinity;
    report.componentwise_backward_error = kInfinity;
    report.excused_backward_error = kInfinity;
  }
  return report;
}

// Arioli, Demmel & Duff 1989, "Solving sparse linear systems with sparse backward error": equations whose (|A| |x| + |b|)_i is no
// more than rounding errors are measured against (|A| |x|)_i + ||a_i|| ||x|| instead, and the two maxima add up. ||a_i|| ||x|| is
// that of A x, or of the scaled system A D (D^-1 x) if that is less: unknowns of different sizes would let a large one excuse the
// errors of all others.
template <Scalar S>
double ErrorScale<S>::componentwise(std::span<const S> b, std::span<const S> residual, std::span<const R> products,
                                    long double largest_scaled_x, R most_x) const {
  struct Maxima {
    double first = 0;
    double second = 0;
  };
  const long double negligible = 1000.0L * static_cast<long double>(b.size()) * std::numeric_limits<R>::epsilon();
  const auto clearly_more = static_cast<R>(2 * negligible);  // than negligible, whatever is rounded
  const auto clearly_less = static_cast<R>(negligible / 2);
  constexpr R kMost = std::numeric_limits<R>::max();
  const R rounded_scaled_x =
      largest_scaled_x <= static_cast<long double>(kMost) ? static_cast<R>(largest_scaled_x) : std::numeric_limits<R>::infinity();
  const std::span<const R> scaled_sums = equation_sizes();
  // Whether no equation of a block raises a maximum.
  const auto are_within = [&](const Range& block, const Maxima& largest) {
    const auto first = somewhat_less<R>(largest.first);
    const auto second = somewhat_less<R>(largest.second);
    return holds_for_all<S>(block, [&](auto i) {
      using L = Lanes<R>;
      const auto size_of_residual = magnitudes(L::load(&residual[i]));
      const auto size_of_b = magnitudes(L::load(&b[i]));
      const auto product = L::load(&products[i]);
      const auto size = product + size_of_b;
      const auto plain_bound = L::load(&plain_sums_[i]) * most_x;
      const auto scaled_bound = L::load(&scaled_sums[i]) * rounded_scaled_x;
      const auto bound = plain_bound < scaled_bound ? plain_bound : scaled_bound;
      const auto other_size = product + bound;
      const auto most = bound + size_of_b;
      const auto is_first = (size > clearly_more * most) & (size <= kMost);
      const auto is_second = (size < clearly_less * most) & (other_size <= kMost) & (most <= kMost);
      return (is_first & (size_of_residual <= first * size)) | (is_second & (size_of_residual <= second * other_size));
    });
  };
  const auto of_range = [&](const Range& range, Maxima largest) {
    for_each_block(range, [&](const Range& block) {
      if (are_within(block, largest)) {
        return;
      }
      for (std::size_t i = block.begin(); i < block.end(); ++i) {
        const long double magnitude = std::abs(residual[i]);
        const long double product = products[i];
        const long double bound = std::min(static_cast<long double>(scaled_sums[i]) * largest_scaled_x,
                                           static_cast<long double>(plain_sums_[i]) * most_x);
        const long double size_of_b = std::abs(b[i]);
        if (product + size_of_b > negligible * (bound + size_of_b)) {
          take_ratio(magnitude, product + size_of_b, largest.first);
        } else {
          take_ratio(magnitude, product + bound, largest.second);
        }
      }
    });
    return largest;
  };
  const Maxima largest =
      tbb::parallel_reduce(Range(0, b.size(), kGrain), Maxima{}, of_range, [](const Maxima& one, const Maxima& other) {
        return Maxima{std::max(one.first, other.first), std::max(one.second, other.second)};
      });
  return largest.first + largest.second;
}

template <Scalar S>
BackwardErrorMeter<S>::BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation, std::span<const RealOf<S>> scales)
    : product_(matrix, operation), scale_(product_.row_sums(scales), scales) {}

template <Scalar S>
ColumnReport BackwardErrorMeter<S>::measure(std::span<const S> b, std::span<const S> x, std::span<S> residual) const {
  Memory memory = memory_.take();
  if (memory.low.size() != b.size()) {
    memory = {UnsetArray<RealOf<S>>(b.size()), UnsetArray<S>(b.size())};
  }
  const std::span<RealOf<S>> products = memory.products.part(0, b.size());
  const std::span<S> low = memory.low.part(0, b.size());
  product_.multiply(x, {residual, low}, products);
  const ColumnReport report = scale_.measure(b, x, {residual, low}, products, residual);
  memory_.give_back(std::move(memory));
  return report;
}

template class ErrorScale<float>;
template class BackwardErrorMeter<float>;
template class ErrorScale<double>;
template class BackwardErrorMeter<double>;
template class ErrorScale<std::complex<float>>;
template class BackwardErrorMeter<std::complex<float>>;
template class ErrorScale<std::complex<double>>;
template class BackwardErrorMeter<std::complex<double>>;

}  // namespace frond
