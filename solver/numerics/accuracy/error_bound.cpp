// SPDX-License-Identifier: BSD-3-Clause
// Computes the norm of |op(A)^-1| f as that of diag(f) op(A)^-H, by rows and by columns.
#include "solver/numerics/accuracy/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "solver/numerics/accuracy/norm_estimate.hpp"
#include "solver/numerics/accuracy/small_inverse.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

// The effect of rounding relative to g: half an epsilon each for creating b, for the final residual, and for its sum of the largest
// possible number of terms, accumulated in twice the working precision. One half is to spare.
template <class R>
constexpr R kRounding = 2 * std::numeric_limits<R>::epsilon();

/// The vectors that |op(A)^-1| is applied to.
template <class R>
struct Weights {
  std::vector<R> sizes;          // g = |op(A)| |x| + |b|
  std::vector<R> residual;       // |residual| + kRounding g
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
  for (std::size_t i = 0; i < b.size(); ++i) {
    weights.sizes[i] += std::abs(b[i]);
    const R size_of_residual = std::abs(residual[i]);
    weights.residual[i] = size_of_residual + kRounding<R> * weights.sizes[i];
    if (!(size_of_residual <= kRounding<R> * weights.sizes[i])) {
      weights.relative_residual = std::numeric_limits<double>::infinity();  // or not finite, or too large to matter
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
  const double norm = estimate_one_norm<S>(n, [&](bool adjoint, DenseView<S> v) {
    const auto multiply = [&] {
      for (Index j = 0; j < v.cols; ++j) {
        std::transform(v.column(j), v.column(j) + n, f.begin(), v.column(j),
                       [&](S value, RealOf<S> weight) { return value * (weight / size_of_f); });
      }
    };
    if (adjoint) {
      multiply();
    }
    solve({adjoint == is_plain ? Operation::plain : Operation::adjoint, v});
    if (!adjoint) {
      multiply();
    }
  });
  const double error = norm * (static_cast<double>(size_of_f) / static_cast<double>(size_of_x));
  return std::isfinite(error) ? error : kInfinity;
}

template <class R>
double relative_to(double norm, R size_of_x) {
  const double error = norm == 0 ? 0 : norm / static_cast<double>(size_of_x);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

template <Scalar S>
ForwardError compute_forward_error(const MatrixView<S>& matrix, Operation operation, const Weights<RealOf<S>>& weights,
                                   RealOf<S> size_of_x, const SolveInPlace<S>& solve) {
  const SmallInverse<S> inverse(matrix, operation, solve);
  const auto product = [&](const std::vector<RealOf<S>>& f) {
    return relative_to(inverse.norm_of_product({f.begin(), f.end()}), size_of_x);
  };
  return {.bound = product(weights.residual), .condition = product(weights.sizes)};
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
  if (static_cast<Index>(x.size()) <= kMostComputed) {
    return compute_forward_error(matrix, operation, weights, size_of_x, solve);
  }
  ForwardError error;
  error.condition = weighted_inverse_norm<S>(operation, weights.sizes, size_of_x, solve);
  constexpr double kRelativeRounding = kRounding<RealOf<S>>;
  error.bound = weights.relative_residual <= kRelativeRounding
                    ? error.condition * (kRelativeRounding + weights.relative_residual)
                    : weighted_inverse_norm<S>(operation, weights.residual, size_of_x, solve);
  return error;
}

#define FROND_INSTANTIATE(S)                                                                                                      \
  template ForwardError estimate_forward_error(const MatrixView<S>&, Operation, const BackwardErrorMeter<S>&, std::span<const S>, \
                                               std::span<const S>, const SolveInPlace<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
