// SPDX-License-Identifier: BSD-3-Clause
// Computes residuals and their scales entry by entry.
#include "tests/cross/long_double_error.hpp"
#include "matrices/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace frond::test {
namespace {

using Long = std::complex<long double>;

template <Scalar S>
Long widen(S value) {
  return {std::real(value), std::imag(value)};
}

// Returns the mirror image of a stored entry.
Long mirrored(Symmetry symmetry, Long value) {
  if (symmetry == Symmetry::hermitian) {
    return std::conj(value);
  }
  return symmetry == Symmetry::skew_symmetric ? -value : value;
}

// Calls use(row, column, value) for every entry of A, mirror images included.
template <Scalar S, class Use>
void for_each_entry(const SparseMatrix<S>& matrix, Use use) {
  for (Index column = 0; column < matrix.num_cols; ++column) {
    const auto j = static_cast<std::size_t>(column);
    for (auto k = static_cast<std::size_t>(matrix.column_offsets[j]); k < static_cast<std::size_t>(matrix.column_offsets[j + 1]);
         ++k) {
      const auto i = static_cast<std::size_t>(matrix.row_indices[k]);
      const Long value = widen(matrix.values[k]);
      use(i, j, value);
      if (matrix.symmetry != Symmetry::general && i != j) {
        use(j, i, mirrored(matrix.symmetry, value));
      }
    }
  }
}

template <Scalar S>
long double largest(std::span<const S> values) {
  long double result = 0;
  for (const S value : values) {
    result = std::max(result, std::abs(widen(value)));
  }
  return result;
}

}  // namespace

template <Scalar S>
double long_double_backward_error(const SparseMatrix<S>& matrix, std::span<const S> x, std::span<const S> b) {
  std::vector<Long> residual(b.size());
  std::transform(b.begin(), b.end(), residual.begin(), widen<S>);
  std::vector<long double> row_sums(b.size());
  for_each_entry(matrix, [&](std::size_t i, std::size_t j, Long value) {
    residual[i] -= value * widen(x[j]);
    row_sums[i] += std::abs(value);
  });
  long double largest_residual = 0;
  long double norm = 0;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const long double magnitude = std::abs(residual[i]);
    if (!std::isfinite(magnitude)) {
      return std::numeric_limits<double>::infinity();
    }
    largest_residual = std::max(largest_residual, magnitude);
    norm = std::max(norm, row_sums[i]);
  }
  const long double scale = norm * largest(x) + largest(b);
  return largest_residual == 0 ? 0 : static_cast<double>(largest_residual / scale);
}

template double long_double_backward_error(const SparseMatrix<double>&, std::span<const double>, std::span<const double>);
template double long_double_backward_error(const SparseMatrix<std::complex<double>>&, std::span<const std::complex<double>>,
                                           std::span<const std::complex<double>>);

}  // namespace frond::test
