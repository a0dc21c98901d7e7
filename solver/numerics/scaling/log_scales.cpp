// SPDX-License-Identifier: BSD-3-Clause
// Computes logarithms of numbers.
#include "solver/numerics/scaling/log_scales.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

namespace frond {
namespace {

// The binary logarithm of a number between sqrt(1/2) and sqrt(2), to 10^-8, by the series of the inverse hyperbolic tangent.
double log2_near_one(double number) {
  constexpr double kTwoOverLogTwo = 2.8853900817779268;
  const double s = (number - 1) / (number + 1);
  const double square = s * s;
  return kTwoOverLogTwo * s * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9))));
}

// The logarithm of a finite nonzero number: an integer, plus a part that does not depend on the exponent. Called for every entry of
// a matrix: extracting both from the number's bits takes a fifth of the time of std::frexp.
Log log_of_magnitude(double value) {
  constexpr std::uint64_t kMantissaBits = 52;
  constexpr std::uint64_t kExponentOfOne = 1023;
  constexpr double kRootOfTwo = 1.4142135623730951;
  const double magnitude = std::abs(value);
  if (magnitude < std::numeric_limits<double>::min()) {
    constexpr int kShift = 64;
    return log_of_magnitude(std::ldexp(magnitude, kShift)) - kShift * kLogOfTwo;
  }
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  auto exponent = static_cast<Log>(bits >> kMantissaBits) - static_cast<Log>(kExponentOfOne);
  const std::uint64_t mantissa_bits = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  auto mantissa = std::bit_cast<double>(mantissa_bits | (kExponentOfOne << kMantissaBits));
  if (mantissa > kRootOfTwo) {
    mantissa /= 2;
    ++exponent;
  }
  return exponent * kLogOfTwo + static_cast<Log>(std::floor(log2_near_one(mantissa) * kLogOfTwo + 0.5));
}

Log log_of(double value) { return value == 0 ? kLogOfZero : log_of_magnitude(value); }

// Scales to size 1 before squaring, so that nothing overflows.
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
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < end; ++k) {
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

#define FROND_INSTANTIATE(S) template LogMatrix log_magnitudes(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
