// SPDX-License-Identifier: BSD-3-Clause
// Computes normwise and componentwise backward errors.
#include "solver/numerics/accuracy/backward_error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "factorization/kernels/lanes.hpp"
#include "solver/numerics/accuracy/equation_errors.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

constexpr std::size_t kGrain = 8192;  // numbers processed by one task

using Range = tbb::blocked_range<std::size_t>;

constexpr std::size_t kBlock = 64;  // numbers compared at once with the maximum so far

// Few blocks raise the maximum of the blocks before: all others need no division, and no wide arithmetic.
template <class Visit>
void for_each_block(const Range& range, const Visit& visit) {
  for (std::size_t begin = range.begin(); begin < range.end(); begin += kBlock) {
    visit(Range(begin, std::min(range.end(), begin + kBlock)));
  }
}

// Whether condition(i), a vector of masks, holds for all lanes from i on, in a whole block. Complex numbers are left to the caller.
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

// A bound below `largest` that remains valid when comparisons are rounded.
template <class R, class T>
R somewhat_less(T largest) {
  return static_cast<R>(std::min(largest * (1 - 8 * static_cast<T>(std::numeric_limits<R>::epsilon())),
                                 static_cast<T>(std::numeric_limits<R>::max())));
}

// The maximum of residuals over sizes of equations.
struct LargestRatio {
  double value = 0;
  bool has_extremes = false;  // some equation's size is at an end of the range: its quotient was omitted

  friend LargestRatio operator+(const LargestRatio& one, const LargestRatio& other) {
    return {std::max(one.value, other.value), one.has_extremes || other.has_extremes};
  }
};

// The largest |residual_i| / (products_i + |b_i|).
template <Scalar S>
LargestRatio largest_ratio(std::span<const S> b, std::span<const S> residual, std::span<const RealOf<S>> products) {
  using R = RealOf<S>;
  constexpr R kLeast = kLeastEquationSize<R>;
  constexpr R kMost = std::numeric_limits<R>::max();
  // Whether no equation of a block raises the maximum.
  const auto are_within = [&](const Range& block, R largest) {
    return holds_for_all<S>(block, [&](auto i) {
      using L = Lanes<R>;
      const auto size = L::load(&products[i]) + magnitudes(L::load(&b[i]));
      return (magnitudes(L::load(&residual[i])) <= largest * size) & (size >= kLeast) & (size <= kMost);
    });
  };
  const auto of_range = [&](const Range& range, LargestRatio largest) {
    for_each_block(range, [&](const Range& block) {
      if (are_within(block, somewhat_less<R>(largest.value))) {
        return;
      }
      for (std::size_t i = block.begin(); i < block.end(); ++i) {
        const R size = products[i] + std::abs(b[i]);
        if (size >= kLeast && size <= kMost) {
          largest.value = std::max(largest.value, error_ratio(std::abs(residual[i]), size));
        } else {
          largest.has_extremes = true;
        }
      }
    });
    return largest;
  };
  return tbb::parallel_reduce(Range(0, b.size(), kGrain), LargestRatio{}, of_range, std::plus<>());
}

}  // namespace

template <Scalar S>
ErrorScale<S>::ErrorScale(const MatrixView<S>& matrix, Operation operation, RowSums<R> row_sums, std::span<const R> scales)
    : matrix_(matrix),
      operation_(operation),
      scales_(scales),
      plain_sums_(std::move(row_sums.plain)),
      scaled_sums_(std::move(row_sums.scaled)),
      norm_(plain_sums_.empty() ? R(0) : *std::max_element(plain_sums_.begin(), plain_sums_.end())) {}

// Magnitudes; infinite if an entry is not finite.
template <Scalar S>
struct ErrorScale<S>::Largest {
  R b = 0;
  R x = 0;
  R residual = 0;

  friend Largest operator+(const Largest& one, const Largest& other) {
    return {std::max(one.b, other.b), std::max(one.x, other.x), std::max(one.residual, other.residual)};
  }
};

// residual := b - product, in ranges short enough to stay in the cache for the second read.
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
    return so_far + Largest{largest_in(b), largest_in(x), largest_in(residual)};
  };
  return tbb::parallel_reduce(Range(0, b.size(), kGrain), Largest{}, of_range, std::plus<>(), tbb::simple_partitioner());
}

template <Scalar S>
ColumnReport ErrorScale<S>::measure(std::span<const S> b, std::span<const S> x, const WideVector<const S>& product,
                                    std::span<const R> products, std::span<S> residual, std::span<const S> correction) const {
  const Largest largest = subtract(b, x, product, residual);
  ColumnReport report;
  if (!std::isfinite(largest.b) || !std::isfinite(largest.x)) {
    report.normwise_backward_error = kInfinity;
    report.componentwise_backward_error = kInfinity;
    report.improvable_backward_error = kInfinity;
    report.num_missed_equations = static_cast<Index>(b.size());
    return report;
  }
  const long double whole = static_cast<long double>(norm_) * largest.x + largest.b;
  long double largest_residual = largest.residual;
  const LargestRatio ratio = largest_ratio<S>(b, residual, products);
  if (ratio.has_extremes || !(ratio.value <= kComponentwiseAccuracy<S>)) {
    largest_residual = measure_equations<S>({matrix_, operation_, b, x, correction, scales_, products, residual}, whole, report);
  } else {
    report.componentwise_backward_error = ratio.value;
    report.improvable_backward_error = ratio.value;
  }
  report.normwise_backward_error = error_ratio(largest_residual, whole);
  return report;
}

template <Scalar S>
auto ErrorScale<S>::sizes(std::span<const S> b, std::span<const S> x) const -> std::vector<R> {
  std::vector<R> sizes(b.size());
  multiply_magnitudes(matrix_, operation_, x, std::span(sizes));
  const std::span<const R> sums = equation_sizes();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const R size = sizes[i] + std::abs(b[i]);
    sizes[i] = size > 0 && std::isfinite(size) ? size : sums[i];
  }
  return sizes;
}

template <Scalar S>
BackwardErrorMeter<S>::BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation, std::span<const RealOf<S>> scales)
    : product_(matrix, operation), scale_(matrix, operation, product_.row_sums(scales), scales) {}

template <Scalar S>
ColumnReport BackwardErrorMeter<S>::measure(std::span<const S> b, std::span<const S> x, std::span<S> residual,
                                            std::span<const S> correction) const {
  Memory memory = memory_.take();
  if (memory.low.size() != b.size()) {
    memory = {UnsetArray<RealOf<S>>(b.size()), UnsetArray<S>(b.size())};
  }
  const std::span<RealOf<S>> products = memory.products.part(0, b.size());
  const std::span<S> low = memory.low.part(0, b.size());
  product_.multiply(x, {residual, low}, products);
  const ColumnReport report = scale_.measure(b, x, {residual, low}, products, residual, correction);
  memory_.give_back(std::move(memory));
  return report;
}

FROND_INSTANTIATE_CLASS(ErrorScale)
FROND_INSTANTIATE_CLASS(BackwardErrorMeter)

}  // namespace frond
