// SPDX-License-Identifier: BSD-3-Clause
// Normwise and componentwise backward errors.
#include "solver/backward_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "solver/finite.hpp"

namespace frond {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The largest |x_j / scales_j| of a finite x.
template <Scalar S>
long double largest_scaled(std::span<const S> x, std::span<const RealOf<S>> scales) {
  long double largest = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const long double magnitude = std::abs(x[j]);
    largest = std::max(largest, scales.empty() ? magnitude : magnitude / static_cast<long double>(scales[j]));
  }
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

}  // namespace

template <Scalar S>
std::vector<RealOf<S>> row_sums(const MatrixView<S>& matrix, Operation operation, std::span<const RealOf<S>> scales) {
  std::vector<RealOf<S>> sums(static_cast<std::size_t>(matrix.pattern.num_rows));
  std::vector<S> factors(sums.size(), S(1));
  std::copy(scales.begin(), scales.end(), factors.begin());
  multiply_magnitudes<S>(matrix, operation, factors, sums);
  return sums;
}

template <Scalar S>
ErrorScale<S>::ErrorScale(std::vector<R> row_sums, std::vector<R> scaled_sums, std::span<const R> scales)
    : scales_(scales), norm_(row_sums.empty() ? R(0) : *std::max_element(row_sums.begin(), row_sums.end())) {
  scaled_sums_ = std::move(scales.empty() ? row_sums : scaled_sums);
}

template <Scalar S>
ColumnReport ErrorScale<S>::measure(std::span<const S> b, std::span<const S> x, std::span<const S> residual,
                                    std::span<const R> products) const {
  const R largest_x = largest_magnitude<S>(x);
  ColumnReport report;
  if (std::isfinite(largest_x) && std::isfinite(largest_magnitude<S>(residual))) {
    report.normwise_backward_error = normwise(b, residual, largest_x);
    report.componentwise_backward_error = componentwise(b, residual, products, largest_scaled<S>(x, scales_));
  } else {
    report.normwise_backward_error = kInfinity;
    report.componentwise_backward_error = kInfinity;
  }
  return report;
}

template <Scalar S>
double ErrorScale<S>::normwise(std::span<const S> b, std::span<const S> residual, R largest_x) const {
  const long double scale = static_cast<long double>(norm_) * largest_x + largest_magnitude<S>(b);
  return error_ratio(largest_magnitude<S>(residual), scale);
}

// Arioli, Demmel & Duff 1989, "Solving sparse linear systems with sparse backward error": equations whose (|A| |x| + |b|)_i is no
// more than rounding errors are measured against (|A| |x|)_i + ||a_i|| ||x|| instead, and the two maxima add up. Norms are those of
// the scaled system A D (D^-1 x): unknowns of different sizes would let a large one excuse the errors of all others.
template <Scalar S>
double ErrorScale<S>::componentwise(std::span<const S> b, std::span<const S> residual, std::span<const R> products,
                                    long double largest_scaled_x) const {
  const long double negligible = 1000.0L * static_cast<long double>(b.size()) * std::numeric_limits<R>::epsilon();
  double first = 0;
  double second = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const long double magnitude = std::abs(residual[i]);
    const long double product = products[i];
    const long double bound = static_cast<long double>(scaled_sums_[i]) * largest_scaled_x;
    const long double size_of_b = std::abs(b[i]);
    if (product + size_of_b > negligible * (bound + size_of_b)) {
      first = std::max(first, error_ratio(magnitude, product + size_of_b));
    } else {
      second = std::max(second, error_ratio(magnitude, product + bound));
    }
  }
  return first + second;
}

template <Scalar S>
BackwardErrorMeter<S>::BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation, std::span<const RealOf<S>> scales)
    : matrix_(matrix),
      operation_(operation),
      scale_(row_sums(matrix, operation), scales.empty() ? std::vector<RealOf<S>>() : row_sums(matrix, operation, scales), scales) {
}

template <Scalar S>
ColumnReport BackwardErrorMeter<S>::measure(std::span<const S> b, std::span<const S> x, std::span<S> residual) const {
  multiply<S>(matrix_, operation_, x, residual);
  std::transform(b.begin(), b.end(), residual.begin(), residual.begin(), std::minus<>());
  std::vector<RealOf<S>> products(b.size());
  multiply_magnitudes<S>(matrix_, operation_, x, products);
  return scale_.measure(b, x, residual, products);
}

template std::vector<RealOf<float>> row_sums(const MatrixView<float>&, Operation, std::span<const float>);
template class ErrorScale<float>;
template class BackwardErrorMeter<float>;
template std::vector<RealOf<double>> row_sums(const MatrixView<double>&, Operation, std::span<const double>);
template class ErrorScale<double>;
template class BackwardErrorMeter<double>;
template std::vector<RealOf<std::complex<float>>> row_sums(const MatrixView<std::complex<float>>&, Operation,
                                                           std::span<const float>);
template class ErrorScale<std::complex<float>>;
template class BackwardErrorMeter<std::complex<float>>;
template std::vector<RealOf<std::complex<double>>> row_sums(const MatrixView<std::complex<double>>&, Operation,
                                                            std::span<const double>);
template class ErrorScale<std::complex<double>>;
template class BackwardErrorMeter<std::complex<double>>;

}  // namespace frond
