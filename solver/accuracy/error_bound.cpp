// SPDX-License-Identifier: BSD-3-Clause
// The norm of |op(A)^-1| f is that of diag(f) op(A)^-H, by rows and by columns.
#include "solver/accuracy/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "solver/accuracy/norm_estimate.hpp"
#include "solver/problem/finite.hpp"

namespace frond {
namespace {

// Of an equation of op(A).
Index most_entries(const PatternView& pattern, Operation operation) {
  const bool by_rows = operation == Operation::plain;
  const bool is_general = pattern.symmetry == Symmetry::general;
  std::vector<Index> counts(static_cast<std::size_t>(by_rows ? pattern.num_rows : pattern.num_cols), 0);
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto begin = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j)]);
    const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (const Index i : pattern.row_indices.subspan(begin, end - begin)) {
      if (by_rows || !is_general) {
        ++counts[static_cast<std::size_t>(i)];
      }
      if (is_general ? !by_rows : i != j) {
        ++counts[static_cast<std::size_t>(j)];
      }
    }
  }
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

/// What |op(A)^-1| is applied to.
template <class R>
struct Weights {
  std::vector<R> sizes;          // g = |op(A)| |x| + |b|
  std::vector<R> residual;       // |residual| + rounding g
  double rounding = 0;           // what rounding may have done to the residual, relative to g
  double relative_residual = 0;  // the largest |residual| / g
};

template <Scalar S>
Weights<RealOf<S>> weigh(const MatrixView<S>& matrix, Operation operation, const BackwardErrorMeter<S>& meter, std::span<const S> b,
                         std::span<const S> x) {
  using R = RealOf<S>;
  std::vector<S> residual(b.size());
  (void)meter.measure(b, x, residual);
  Weights<R> weights{std::vector<R>(b.size()), std::vector<R>(b.size())};
  multiply_magnitudes<S>(matrix, operation, x, weights.sizes);
  const R rounding = static_cast<R>(most_entries(matrix.pattern, operation) + 1) * std::numeric_limits<R>::epsilon();
  weights.rounding = rounding;
  for (std::size_t i = 0; i < b.size(); ++i) {
    weights.sizes[i] += std::abs(b[i]);
    const R size_of_residual = std::abs(residual[i]);
    weights.residual[i] = size_of_residual + rounding * weights.sizes[i];
    if (!(size_of_residual <= rounding * weights.sizes[i])) {
      weights.relative_residual = std::numeric_limits<double>::infinity();  // or not finite, or larger than one need know
    } else if (size_of_residual > 0) {
      weights.relative_residual = std::max(weights.relative_residual, static_cast<double>(size_of_residual / weights.sizes[i]));
    }
  }
  return weights;
}

// || |op(A)^-1| f || / size_of_x.
template <Scalar S>
double weighted_inverse_norm(Operation operation, const std::vector<RealOf<S>>& f, RealOf<S> size_of_x,
                             const SolveInPlace<S>& solve) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const RealOf<S> size_of_f = largest_magnitude<RealOf<S>>(f);
  if (size_of_f == 0) {
    return 0;
  }
  if (!std::isfinite(size_of_f) || !std::isfinite(size_of_x) || size_of_x == 0) {
    return kInfinity;
  }
  // The magnitudes of op(A)^-1 are those of A^-1 or of A^-H.
  const bool is_plain = operation == Operation::plain;
  const auto n = static_cast<Index>(f.size());
  const double norm = estimate_one_norm<S>(n, [&](bool adjoint, std::span<S> v) {
    const auto multiply = [&] {
      std::transform(v.begin(), v.end(), f.begin(), v.begin(),
                     [&](S value, RealOf<S> weight) { return value * (weight / size_of_f); });
    };
    if (adjoint) {
      multiply();
    }
    solve(adjoint == is_plain ? Operation::plain : Operation::adjoint, DenseView<S>{v.data(), n, 1, n});
    if (!adjoint) {
      multiply();
    }
  });
  const double error = norm * (static_cast<double>(size_of_f) / static_cast<double>(size_of_x));
  return std::isfinite(error) ? error : kInfinity;
}

}  // namespace

template <Scalar S>
ForwardError estimate_forward_error(const MatrixView<S>& matrix, Operation operation, const BackwardErrorMeter<S>& meter,
                                    std::span<const S> b, std::span<const S> x, const SolveInPlace<S>& solve) {
  if (x.empty()) {
    return {};
  }
  const Weights<RealOf<S>> weights = weigh(matrix, operation, meter, b, x);
  const RealOf<S> size_of_x = largest_magnitude<S>(x);
  ForwardError error;
  error.condition = weighted_inverse_norm<S>(operation, weights.sizes, size_of_x, solve);
  error.bound = weights.relative_residual <= weights.rounding
                    ? error.condition * (weights.rounding + weights.relative_residual)
                    : weighted_inverse_norm<S>(operation, weights.residual, size_of_x, solve);
  return error;
}

template ForwardError estimate_forward_error(const MatrixView<float>&, Operation, const BackwardErrorMeter<float>&,
                                             std::span<const float>, std::span<const float>, const SolveInPlace<float>&);
template ForwardError estimate_forward_error(const MatrixView<double>&, Operation, const BackwardErrorMeter<double>&,
                                             std::span<const double>, std::span<const double>, const SolveInPlace<double>&);
template ForwardError estimate_forward_error(const MatrixView<std::complex<float>>&, Operation,
                                             const BackwardErrorMeter<std::complex<float>>&, std::span<const std::complex<float>>,
                                             std::span<const std::complex<float>>, const SolveInPlace<std::complex<float>>&);
template ForwardError estimate_forward_error(const MatrixView<std::complex<double>>&, Operation,
                                             const BackwardErrorMeter<std::complex<double>>&, std::span<const std::complex<double>>,
                                             std::span<const std::complex<double>>, const SolveInPlace<std::complex<double>>&);

}  // namespace frond
