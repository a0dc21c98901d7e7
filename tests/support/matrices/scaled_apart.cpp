// SPDX-License-Identifier: BSD-3-Clause
// Scales systems with exponents drawn from a seed.
#include "tests/support/matrices/scaled_apart.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>

#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

template <Scalar S>
S times_power_of_two(S value, int exponent) {
  if constexpr (kIsComplex<S>) {
    return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
  } else {
    return std::ldexp(value, exponent);
  }
}

std::vector<int> random_exponents(Index length, int largest, std::mt19937_64& random) {
  std::vector<int> exponents(static_cast<std::size_t>(length));
  std::generate(exponents.begin(), exponents.end(), [&] { return std::uniform_int_distribution<int>(-largest, largest)(random); });
  return exponents;
}

}  // namespace

template <Scalar S>
ScaledApart<S> scaled_apart(const SparseMatrix<S>& matrix, int largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ScaledApart<S> scaled{matrix, random_exponents(matrix.num_rows, largest, random), {}};
  const bool is_general = matrix.symmetry == Symmetry::general;
  scaled.col_exponents = is_general ? random_exponents(matrix.num_cols, largest, random) : scaled.row_exponents;
  for_each_entry(scaled.matrix, [&scaled](Index i, Index j, S& value) {
    const int exponent = scaled.row_exponents[i] + scaled.col_exponents[j];
    const S original = std::exchange(value, times_power_of_two(value, exponent));
    if (times_power_of_two(value, -exponent) != original) {
      throw std::invalid_argument("an entry leaves the range of its type");
    }
  });
  return scaled;
}

template <Scalar S>
DenseMatrix<S> scaled_rows(DenseMatrix<S> b, const std::vector<int>& exponents, bool inverse) {
  for (Index j = 0; j < b.num_cols; ++j) {
    for (Index i = 0; i < b.num_rows; ++i) {
      const int exponent = exponents[i];
      b(i, j) = times_power_of_two(b(i, j), inverse ? -exponent : exponent);
    }
  }
  return b;
}

#define FROND_INSTANTIATE(S)                                                        \
  template ScaledApart<S> scaled_apart(const SparseMatrix<S>&, int, std::uint64_t); \
  template DenseMatrix<S> scaled_rows(DenseMatrix<S>, const std::vector<int>&, bool);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::testing
