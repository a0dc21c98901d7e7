// SPDX-License-Identifier: BSD-3-Clause
// Higham's block-free 1-norm estimator.
#include "solver/condition.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace frond {
namespace {

constexpr int kMaxSteps = 5;

// The inverse of the scaled matrix, (D_r A D_c)^-1 = D_c^-1 A^-1 D_r^-1, as an operator on vectors.
template <Scalar S>
struct ScaledInverse {
  std::span<const RealOf<S>> row_scaling;
  std::span<const RealOf<S>> col_scaling;
  const SolveInPlace<S>& solve;

  void apply(Operation operation, std::vector<S>& x) const {
    const bool plain = operation == Operation::plain;
    divide(plain ? row_scaling : col_scaling, x);
    const auto n = static_cast<Index>(x.size());
    solve(operation, DenseView<S>{x.data(), n, 1, n});
    divide(plain ? col_scaling : row_scaling, x);
  }

  static void divide(std::span<const RealOf<S>> scaling, std::vector<S>& x) {
    for (std::size_t i = 0; i < scaling.size(); ++i) {
      x[i] /= scaling[i];
    }
  }
};

template <Scalar S>
double sum_of_magnitudes(const std::vector<S>& x) {
  double sum = 0;
  for (const S& value : x) {
    sum += static_cast<double>(std::abs(value));
  }
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

template <Scalar S>
S sign_of(S value) {
  const RealOf<S> size = std::abs(value);
  return size > 0 ? value / size : S(1);
}

template <Scalar S>
double inverse_norm(const ScaledInverse<S>& inverse, std::size_t n) {
  std::vector<S> x(n, S(1) / static_cast<RealOf<S>>(n));
  double estimate = 0;
  std::size_t column = n;
  for (int step = 0; step < kMaxSteps; ++step) {
    inverse.apply(Operation::plain, x);
    const double norm = sum_of_magnitudes(x);
    if (norm <= estimate || std::isinf(norm)) {
      estimate = std::max(estimate, norm);
      break;
    }
    estimate = norm;
    std::transform(x.begin(), x.end(), x.begin(), [](S value) { return sign_of(value); });
    inverse.apply(Operation::adjoint, x);
    const auto largest = std::max_element(x.begin(), x.end(), [](S a, S b) { return std::abs(a) < std::abs(b); });
    const auto next = static_cast<std::size_t>(largest - x.begin());
    if (next == column) {
      break;
    }
    column = next;
    std::fill(x.begin(), x.end(), S(0));
    x[column] = S(1);
  }
  for (std::size_t i = 0; i < n; ++i) {  // a vector that the iteration's worst cases do not fool
    const double size = 1 + static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(n - 1, 1));
    x[i] = S(static_cast<RealOf<S>>(i % 2 == 0 ? size : -size));
  }
  inverse.apply(Operation::plain, x);
  return std::max(estimate, 2 * sum_of_magnitudes(x) / (3 * static_cast<double>(n)));
}

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
  const auto n = static_cast<std::size_t>(matrix.pattern.num_cols);
  if (n == 0) {
    return 0;
  }
  return scaled_one_norm(matrix, row_scaling, col_scaling) * inverse_norm(ScaledInverse<S>{row_scaling, col_scaling, solve}, n);
}

template double estimate_scaled_condition(const MatrixView<float>&, std::span<const float>, std::span<const float>,
                                          const SolveInPlace<float>&);
template double estimate_scaled_condition(const MatrixView<double>&, std::span<const double>, std::span<const double>,
                                          const SolveInPlace<double>&);
template double estimate_scaled_condition(const MatrixView<std::complex<float>>&, std::span<const float>, std::span<const float>,
                                          const SolveInPlace<std::complex<float>>&);
template double estimate_scaled_condition(const MatrixView<std::complex<double>>&, std::span<const double>, std::span<const double>,
                                          const SolveInPlace<std::complex<double>>&);

}  // namespace frond
