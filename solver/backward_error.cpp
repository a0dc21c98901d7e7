// SPDX-License-Identifier: BSD-3-Clause
// Normwise and componentwise backward errors.
#include "solver/backward_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace frond {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Infinite when an entry is NaN or infinite, so that no NaN is lost in a comparison.
template <Scalar S>
RealOf<S> largest_magnitude(std::span<const S> x) {
  using R = RealOf<S>;
  R largest = 0;
  for (const S value : x) {
    const R magnitude = std::abs(value);
    if (!std::isfinite(magnitude)) {
      return std::numeric_limits<R>::infinity();
    }
    largest = std::max(largest, magnitude);
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
std::vector<RealOf<S>> row_sums(const MatrixView<S>& matrix, Operation operation) {
  std::vector<RealOf<S>> sums(static_cast<std::size_t>(matrix.pattern.num_rows));
  const std::vector<S> ones(sums.size(), S(1));
  multiply_magnitudes<S>(matrix, operation, ones, sums);
  return sums;
}

template <Scalar S>
ErrorScale<S>::ErrorScale(std::vector<R> row_sums)
    : row_sums_(std::move(row_sums)), norm_(row_sums_.empty() ? R(0) : *std::max_element(row_sums_.begin(), row_sums_.end())) {}

template <Scalar S>
ColumnReport ErrorScale<S>::measure(std::span<const S> b, std::span<const S> x, std::span<const S> residual,
                                    std::span<const R> products) const {
  const R largest_x = largest_magnitude<S>(x);
  ColumnReport report;
  if (std::isfinite(largest_x) && std::isfinite(largest_magnitude<S>(residual))) {
    report.normwise_backward_error = normwise(b, residual, largest_x);
    report.componentwise_backward_error = componentwise(b, residual, products, largest_x);
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
// more than rounding errors are measured against (|A| |x|)_i + ||a_i|| ||x|| instead, and the two maxima add up.
template <Scalar S>
double ErrorScale<S>::componentwise(std::span<const S> b, std::span<const S> residual, std::span<const R> products,
                                    R largest_x) const {
  const long double negligible = 1000.0L * static_cast<long double>(b.size()) * std::numeric_limits<R>::epsilon();
  double first = 0;
  double second = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const long double magnitude = std::abs(residual[i]);
    const long double product = products[i];
    const long double bound = static_cast<long double>(row_sums_[i]) * largest_x;
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
BackwardErrorMeter<S>::BackwardErrorMeter(const MatrixView<S>& matrix, Operation operation)
    : matrix_(matrix), operation_(operation), scale_(row_sums(matrix, operation)) {}

template <Scalar S>
ColumnReport BackwardErrorMeter<S>::measure(std::span<const S> b, std::span<const S> x, std::span<S> residual) const {
  multiply<S>(matrix_, operation_, x, residual);
  std::transform(b.begin(), b.end(), residual.begin(), residual.begin(), std::minus<>());
  std::vector<RealOf<S>> products(b.size());
  multiply_magnitudes<S>(matrix_, operation_, x, products);
  return scale_.measure(b, x, residual, products);
}

template std::vector<RealOf<float>> row_sums(const MatrixView<float>&, Operation);
template class ErrorScale<float>;
template class BackwardErrorMeter<float>;
template std::vector<RealOf<double>> row_sums(const MatrixView<double>&, Operation);
template class ErrorScale<double>;
template class BackwardErrorMeter<double>;
template std::vector<RealOf<std::complex<float>>> row_sums(const MatrixView<std::complex<float>>&, Operation);
template class ErrorScale<std::complex<float>>;
template class BackwardErrorMeter<std::complex<float>>;
template std::vector<RealOf<std::complex<double>>> row_sums(const MatrixView<std::complex<double>>&, Operation);
template class ErrorScale<std::complex<double>>;
template class BackwardErrorMeter<std::complex<double>>;

}  // namespace frond
