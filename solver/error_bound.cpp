// SPDX-License-Identifier: BSD-3-Clause
// The norm of |op(A)^-1| f is that of diag(f) op(A)^-H, by rows and by columns.
#include "solver/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "solver/finite.hpp"
#include "solver/norm_estimate.hpp"

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

// |residual| and what rounding may have added to it or taken away.
template <Scalar S>
std::vector<RealOf<S>> possible_residual(const MatrixView<S>& matrix, Operation operation, const BackwardErrorMeter<S>& meter,
                                         std::span<const S> b, std::span<const S> x) {
  using R = RealOf<S>;
  std::vector<S> residual(b.size());
  (void)meter.measure(b, x, residual);
  std::vector<R> bound(b.size());
  multiply_magnitudes<S>(matrix, operation, x, bound);
  const R rounding = static_cast<R>(most_entries(matrix.pattern, operation) + 1) * std::numeric_limits<R>::epsilon();
  for (std::size_t i = 0; i < b.size(); ++i) {
    bound[i] = std::abs(residual[i]) + rounding * (bound[i] + std::abs(b[i]));
  }
  return bound;
}

}  // namespace

template <Scalar S>
double bound_forward_error(const MatrixView<S>& matrix, Operation operation, const BackwardErrorMeter<S>& meter,
                           std::span<const S> b, std::span<const S> x, const SolveInPlace<S>& solve) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (x.empty()) {
    return 0;
  }
  const std::vector<RealOf<S>> f = possible_residual(matrix, operation, meter, b, x);
  const RealOf<S> size_of_f = largest_magnitude<RealOf<S>>(f);
  const RealOf<S> size_of_x = largest_magnitude<S>(x);
  if (size_of_f == 0) {
    return 0;
  }
  if (!std::isfinite(size_of_f) || !std::isfinite(size_of_x) || size_of_x == 0) {
    return kInfinity;
  }
  // The magnitudes of op(A)^-1 are those of A^-1 or of A^-H.
  const bool is_plain = operation == Operation::plain;
  const auto n = static_cast<Index>(x.size());
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

template double bound_forward_error(const MatrixView<float>&, Operation, const BackwardErrorMeter<float>&, std::span<const float>,
                                    std::span<const float>, const SolveInPlace<float>&);
template double bound_forward_error(const MatrixView<double>&, Operation, const BackwardErrorMeter<double>&,
                                    std::span<const double>, std::span<const double>, const SolveInPlace<double>&);
template double bound_forward_error(const MatrixView<std::complex<float>>&, Operation,
                                    const BackwardErrorMeter<std::complex<float>>&, std::span<const std::complex<float>>,
                                    std::span<const std::complex<float>>, const SolveInPlace<std::complex<float>>&);
template double bound_forward_error(const MatrixView<std::complex<double>>&, Operation,
                                    const BackwardErrorMeter<std::complex<double>>&, std::span<const std::complex<double>>,
                                    std::span<const std::complex<double>>, const SolveInPlace<std::complex<double>>&);

}  // namespace frond
