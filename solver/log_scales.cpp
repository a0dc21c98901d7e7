// SPDX-License-Identifier: BSD-3-Clause
// From numbers to logarithms.
#include "solver/log_scales.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace frond {
namespace {

// Of a finite number that is not zero: an integer, and a part that the exponent has no say in.
Log log_of_magnitude(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(value), &exponent);
  return exponent * kLogOfTwo + static_cast<Log>(std::floor(std::log2(static_cast<float>(mantissa)) * kLogOfTwo + 0.5F));
}

Log log_of(double value) { return value == 0 ? kLogOfZero : log_of_magnitude(value); }

// Brought to size 1 before it is squared, so that nothing overflows.
Log log_of(std::complex<double> value) {
  const double largest = std::max(std::abs(value.real()), std::abs(value.imag()));
  if (largest == 0) {
    return kLogOfZero;
  }
  const int exponent = std::ilogb(largest);
  const std::complex<double> reduced(std::scalbn(value.real(), -exponent), std::scalbn(value.imag(), -exponent));
  return exponent * kLogOfTwo + log_of_magnitude(std::abs(reduced));
}

}  // namespace

template <Scalar S>
LogMatrix log_magnitudes(const MatrixView<S>& matrix) {
  constexpr int kDigits = std::numeric_limits<RealOf<S>>::digits;
  LogMatrix result{matrix.pattern, LargeVector<Log>(matrix.values.size()), (1 - kDigits) * kLogOfTwo};
  const PatternView& pattern = matrix.pattern;
  tbb::parallel_for(Index{0}, pattern.num_cols, [&](Index j) {
    const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j)]); k < end; ++k) {
      if constexpr (kIsComplex<S>) {
        result.logs[k] = log_of(std::complex<double>(matrix.values[k]));
      } else {
        result.logs[k] = log_of(static_cast<double>(matrix.values[k]));
      }
    }
  });
  return result;
}

LogScales unit_scales(const PatternView& pattern) {
  return {std::vector<Log>(static_cast<std::size_t>(pattern.num_rows), 0),
          std::vector<Log>(static_cast<std::size_t>(pattern.num_cols), 0)};
}

template LogMatrix log_magnitudes(const MatrixView<float>&);
template LogMatrix log_magnitudes(const MatrixView<double>&);
template LogMatrix log_magnitudes(const MatrixView<std::complex<float>>&);
template LogMatrix log_magnitudes(const MatrixView<std::complex<double>>&);

}  // namespace frond
