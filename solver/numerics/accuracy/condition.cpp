// SPDX-License-Identifier: BSD-3-Clause
// Computes the norm of the scaled matrix, and estimates that of its inverse.
#include "solver/numerics/accuracy/condition.hpp"

#include <algorithm>
#include <vector>

#include "solver/numerics/accuracy/norm_estimate.hpp"

namespace frond {
namespace {

// The inverse of the scaled matrix, (D_r A D_c)^-1 = D_c^-1 A^-1 D_r^-1, as an operator on vectors.
template <Scalar S>
struct ScaledInverse {
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
  const SolveInPlace<S>& solve;

  void apply(bool adjoint, DenseView<S> x) const {
    divide(adjoint ? col_scaling : row_scaling, x);
    solve({adjoint ? Operation::adjoint : Operation::plain, x});
    divide(adjoint ? row_scaling : col_scaling, x);
  }

  static void divide(std::span<const RealOf<S>> scaling, DenseView<S> x) {
    for (Index j = 0; j < x.cols; ++j) {
      for (std::size_t i = 0; i < scaling.size(); ++i) {
        x(static_cast<Index>(i), j) /= scaling[i];
      }
    }
  }
};

// Largest column sum of |D_r A D_c|.
template <Scalar S>
double scaled_one_norm(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                       std::span<const RealOf<S>> col_scaling) {
  const auto n = static_cast<std::size_t>(matrix.pattern.num_cols);
  std::vector<S> rows(n, S(1));
  std::copy(row_scaling.begin(), row_scaling.end(), rows.begin());
  std::vector<RealOf<S>> sums(n);
  multiply_magnitudes<S>(matrix, Operation::transposed, rows, sums);
  double norm = 0;
  for (std::size_t j = 0; j < n; ++j) {
    norm = std::max(norm, static_cast<double>(sums[j]) * static_cast<double>(col_scaling.empty() ? RealOf<S>(1) : col_scaling[j]));
  }
  return norm;
}

}  // namespace

template <Scalar S>
double estimate_scaled_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                 std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve) {
  if (matrix.pattern.num_cols == 0) {
    return 0;
  }
  const ScaledInverse<S> inverse{row_scaling, col_scaling, solve};
  return scaled_one_norm(matrix, row_scaling, col_scaling) *
         estimate_one_norm<S>(matrix.pattern.num_cols, [&](bool adjoint, DenseView<S> x) { inverse.apply(adjoint, x); });
}

template <Scalar S>
double estimate_condition(const MatrixView<S>& matrix, bool is_transposed, const SolveInPlace<S>& solve) {
  const Index n = matrix.pattern.num_cols;
  if (n == 0) {
    return 0;
  }
  const auto norm = static_cast<double>(is_transposed ? infinity_norm(matrix) : one_norm(matrix));
  return norm * estimate_one_norm<S>(n, [&](bool adjoint, DenseView<S> x) {
           solve({adjoint == is_transposed ? Operation::plain : Operation::adjoint, x});
         });
}

#define FROND_INSTANTIATE(S)                                                                                              \
  template double estimate_scaled_condition(const MatrixView<S>&, std::span<const RealOf<S>>, std::span<const RealOf<S>>, \
                                            const SolveInPlace<S>&);                                                      \
  template double estimate_condition(const MatrixView<S>&, bool, const SolveInPlace<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
