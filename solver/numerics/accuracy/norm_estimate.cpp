// SPDX-License-Identifier: BSD-3-Clause
// Implements Higham's 1-norm estimator, one vector at a time.
#include "solver/numerics/accuracy/norm_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <utility>

namespace frond {
namespace {

constexpr int kMaxSteps = 5;

template <Scalar S>
double sum_of_magnitudes(std::span<const S> x) {
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

}  // namespace

template <Scalar S>
std::vector<double> sums_of_columns(Index order, const ApplyInPlace<S>& apply) {
  DenseMatrix<S> columns(order, order);
  for (Index j = 0; j < order; ++j) {
    columns(j, j) = S(1);
  }
  apply(false, view_of(columns));
  std::vector<double> sums(order);
  for (Index j = 0; j < order; ++j) {
    sums[j] = sum_of_magnitudes<S>(std::as_const(columns).column(j));
  }
  return sums;
}

template <Scalar S>
double estimate_one_norm(Index order, const ApplyInPlace<S>& apply) {
  if (order == 0) {
    return 0;
  }
  if (order <= kMostComputed) {
    const std::vector<double> sums = sums_of_columns(order, apply);
    return *std::max_element(sums.begin(), sums.end());
  }
  const auto n = static_cast<std::size_t>(order);
  std::vector<S> x(n, S(1) / static_cast<RealOf<S>>(n));
  const DenseView<S> view = column_view(std::span(x));
  double estimate = 0;
  std::size_t column = n;
  for (int step = 0; step < kMaxSteps; ++step) {
    apply(false, view);
    const double norm = sum_of_magnitudes<S>(x);
    if (norm <= estimate || std::isinf(norm)) {
      estimate = std::max(estimate, norm);
      break;
    }
    estimate = norm;
    std::transform(x.begin(), x.end(), x.begin(), [](S value) { return sign_of(value); });
    apply(true, view);
    const auto largest = std::max_element(x.begin(), x.end(), [](S a, S b) { return std::abs(a) < std::abs(b); });
    const auto next = static_cast<std::size_t>(largest - x.begin());
    if (next == column) {
      break;
    }
    column = next;
    std::fill(x.begin(), x.end(), S(0));
    x[column] = S(1);
  }
  for (std::size_t i = 0; i < n; ++i) {  // a vector that catches the iteration's worst cases
    const double size = 1 + static_cast<double>(i) / static_cast<double>(n - 1);
    x[i] = S(static_cast<RealOf<S>>(i % 2 == 0 ? size : -size));
  }
  apply(false, view);
  return std::max(estimate, 2 * sum_of_magnitudes<S>(x) / (3 * static_cast<double>(n)));
}

#define FROND_INSTANTIATE(S)                                                   \
  template std::vector<double> sums_of_columns(Index, const ApplyInPlace<S>&); \
  template double estimate_one_norm(Index, const ApplyInPlace<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
