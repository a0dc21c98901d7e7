// SPDX-License-Identifier: BSD-3-Clause
// Scales in the higher precision, and factorizes in the lower one.
#include "solver/numerics/sweeps/lower_factors.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/sweeps/solve.hpp"

namespace frond {
namespace {

template <Scalar S>
LowerOf<S> lowered(S value) {
  return static_cast<LowerOf<S>>(value);
}

constexpr Index kGrain = 8192;  // rows converted by one task

using RowRange = tbb::blocked_range<Index>;

// The power of 2 above the largest magnitude.
template <Scalar S>
int exponent_of(const S* column, Index num_rows, std::span<const RealOf<S>> scaling) {
  using R = RealOf<S>;
  const R largest = tbb::parallel_reduce(
      RowRange(0, num_rows, kGrain), R(0),
      [&](const RowRange& rows, R so_far) {
        for (Index i = rows.begin(); i < rows.end(); ++i) {
          so_far = std::max<R>(so_far, std::abs(column[i]) * scale_of(scaling, i));
        }
        return so_far;
      },
      [](R one, R other) { return std::max(one, other); });
  constexpr int kMost = std::numeric_limits<R>::max_exponent - 2;  // 2 to this power, and its inverse, do not overflow
  return largest > 0 && std::isfinite(largest) ? std::clamp(std::ilogb(largest), -kMost, kMost) : 0;
}

}  // namespace

template <Scalar S>
LargeVector<LowerOf<S>> lower_values(const MatrixView<S>& matrix, const Scaling<RealOf<S>>& scaling) {
  const PatternView& pattern = matrix.pattern;
  LargeVector<LowerOf<S>> lower(matrix.values.size());
  std::atomic<bool> has_overflown = false;
  tbb::parallel_for(Index{0}, pattern.num_cols, [&](Index j) {
    const RealOf<S> col_scale = scale_of<RealOf<S>>(scaling.cols, j);
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]);
         k < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      lower[k] = lowered<S>(matrix.values[k] * scale_of<RealOf<S>>(scaling.rows, pattern.row_indices[k]) * col_scale);
      if (!is_finite(lower[k])) {
        has_overflown = true;
      }
    }
  });
  if (has_overflown) {
    lower.clear();
  }
  return lower;
}

template <Scalar S>
LowerSide<S>::LowerSide(const Scaling<RealOf<S>>& scaling, Operation operation, DenseView<const S> b)
    : unknown_scaling_(unknown_scaling(scaling, operation)),
      exponents_(static_cast<std::size_t>(b.cols)),
      num_rows_(b.rows),
      values_(static_cast<std::size_t>(b.rows) * static_cast<std::size_t>(b.cols)) {
  const std::span<const RealOf<S>> equation_scaling = operation == Operation::plain ? scaling.rows : scaling.cols;
  tbb::parallel_for(Index{0}, b.cols, [&](Index j) {
    const S* from = b.column(j);
    int& exponent = exponents_[j];
    exponent = exponent_of<S>(from, b.rows, equation_scaling);
    const RealOf<S> factor = std::ldexp(RealOf<S>(1), -exponent);
    LowerOf<S>* to = values().column(j);
    tbb::parallel_for(RowRange(0, b.rows, kGrain), [&](const RowRange& rows) {
      for (Index i = rows.begin(); i < rows.end(); ++i) {
        to[i] = lowered<S>(from[i] * scale_of(equation_scaling, i) * factor);
      }
    });
  });
}

template <Scalar S>
DenseView<LowerOf<S>> LowerSide<S>::values() {
  return {values_.data(), num_rows_, static_cast<Index>(exponents_.size()), std::max(num_rows_, Index{1})};
}

template <Scalar S>
void LowerSide<S>::store(DenseView<S> x) const {
  tbb::parallel_for(Index{0}, x.cols, [&](Index j) {
    const RealOf<S> factor = std::ldexp(RealOf<S>(1), exponents_[j]);
    const LowerOf<S>* from = values_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(num_rows_);
    S* to = x.column(j);
    tbb::parallel_for(RowRange(0, x.rows, kGrain), [&](const RowRange& rows) {
      for (Index i = rows.begin(); i < rows.end(); ++i) {
        to[i] = static_cast<S>(from[i]) * factor * scale_of(unknown_scaling_, i);
      }
    });
  });
}

template <Scalar S>
void LowerFactors<S>::solve(const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads) const {
  LowerSide<S> side(scaling_, operation, x);
  solve_with_factors<L>(factors_, plan, {operation, side.values()}, num_threads);
  side.store(x);
}

template <class R>
Determinant without_scaling(Determinant determinant, const Scaling<R>& scaling) {
  if (determinant.mantissa != std::complex<double>(0)) {
    for (const std::vector<R>* scales : {&scaling.rows, &scaling.cols}) {
      determinant.exponent -= tbb::parallel_reduce(
          tbb::blocked_range<std::size_t>(0, scales->size(), kGrain), Count{0},
          [&](const tbb::blocked_range<std::size_t>& range, Count sum) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
              sum += std::ilogb((*scales)[i]);
            }
            return sum;
          },
          std::plus<>());
    }
  }
  return determinant;
}

template <Scalar S>
LowerResult<S> factorize_lower(
    const MatrixView<S>& matrix, Scaling<RealOf<S>> scaling,
    const std::function<FactorizationResult<LowerOf<S>>(std::span<const LowerOf<S>> values)>& factorize) {
  using L = LowerOf<S>;
  LowerResult<S> result;
  const LargeVector<L> values = lower_values<S>(matrix, scaling);
  if (values.size() != matrix.values.size()) {
    result.report.status = FactorizationStatus::singular;
    return result;
  }
  FactorizationResult<L> lower = factorize(values);
  result.report = std::move(lower.report);
  result.report.determinant = without_scaling(result.report.determinant, scaling);
  if (result.report.status == FactorizationStatus::success) {
    result.factors.emplace(std::move(*lower.factors), std::move(scaling));
  }
  return result;
}

#define FROND_INSTANTIATE(S) template LargeVector<LowerOf<S>> lower_values(const MatrixView<S>&, const Scaling<RealOf<S>>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
FROND_INSTANTIATE_CLASS(LowerSide)
FROND_INSTANTIATE_CLASS(LowerFactors)
template LowerResult<float> factorize_lower(const MatrixView<float>&, Scaling<float>,
                                            const std::function<FactorizationResult<float>(std::span<const float>)>&);
template LowerResult<double> factorize_lower(const MatrixView<double>&, Scaling<double>,
                                             const std::function<FactorizationResult<float>(std::span<const float>)>&);
template LowerResult<std::complex<float>> factorize_lower(
    const MatrixView<std::complex<float>>&, Scaling<float>,
    const std::function<FactorizationResult<std::complex<float>>(std::span<const std::complex<float>>)>&);
template LowerResult<std::complex<double>> factorize_lower(
    const MatrixView<std::complex<double>>&, Scaling<double>,
    const std::function<FactorizationResult<std::complex<float>>(std::span<const std::complex<float>>)>&);
template Determinant without_scaling(Determinant, const Scaling<float>&);
template Determinant without_scaling(Determinant, const Scaling<double>&);

}  // namespace frond
