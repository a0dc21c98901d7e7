// SPDX-License-Identifier: BSD-3-Clause
// Computes products with a sparse matrix in one pass over its columns, for every symmetry and operation.
#include "matrices/products.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "frond/error.hpp"
#include "matrices/modulus.hpp"
#include "matrices/terms.hpp"

namespace frond {
namespace {

template <class S>
void check_lengths(const PatternView& pattern, Operation operation, std::span<const S> x, std::size_t y_length) {
  const bool is_plain = operation == Operation::plain;
  const auto rows = static_cast<std::size_t>(is_plain ? pattern.num_rows : pattern.num_cols);
  const auto cols = static_cast<std::size_t>(is_plain ? pattern.num_cols : pattern.num_rows);
  if (x.size() != cols || y_length != rows) {
    throw UsageError(fmt::format("a {} by {} matrix cannot be multiplied by a vector of length {} into one of length {}", rows,
                                 cols, x.size(), y_length));
  }
}

}  // namespace

template <Scalar S>
void multiply(const MatrixView<S>& matrix, Operation operation, std::span<const S> x, std::span<S> y) {
  check_lengths(matrix.pattern, operation, x, y.size());
  std::fill(y.begin(), y.end(), S{});
  for_each_term_of(matrix, operation, [&](std::size_t to, std::size_t from, S value) { y[to] += value * x[from]; });
}

template <Scalar S>
void multiply_magnitudes(const MatrixView<S>& matrix, Operation operation, std::span<const S> x, std::span<RealOf<S>> y) {
  check_lengths(matrix.pattern, operation, x, y.size());
  std::fill(y.begin(), y.end(), RealOf<S>{});
  const auto add = [&](std::size_t to, std::size_t from, S value) { y[to] += modulus(value) * modulus(x[from]); };
  for_each_term(matrix, operation != Operation::plain, add, add);
}

// The largest sum of magnitudes in a row of op(A).
template <Scalar S>
static RealOf<S> largest_row_sum(const MatrixView<S>& matrix, Operation operation, Index num_rows, Index num_cols) {
  const std::vector<S> ones(static_cast<std::size_t>(num_cols), S(1));
  std::vector<RealOf<S>> sums(static_cast<std::size_t>(num_rows));
  multiply_magnitudes<S>(matrix, operation, ones, sums);
  return sums.empty() ? RealOf<S>{} : *std::max_element(sums.begin(), sums.end());
}

template <Scalar S>
RealOf<S> infinity_norm(const MatrixView<S>& matrix) {
  return largest_row_sum(matrix, Operation::plain, matrix.pattern.num_rows, matrix.pattern.num_cols);
}

template <Scalar S>
RealOf<S> one_norm(const MatrixView<S>& matrix) {
  return largest_row_sum(matrix, Operation::transposed, matrix.pattern.num_cols, matrix.pattern.num_rows);
}

#define FROND_INSTANTIATE(S)                                                                                    \
  template void multiply(const MatrixView<S>&, Operation, std::span<const S>, std::span<S>);                    \
  template void multiply_magnitudes(const MatrixView<S>&, Operation, std::span<const S>, std::span<RealOf<S>>); \
  template RealOf<S> infinity_norm(const MatrixView<S>&);                                                       \
  template RealOf<S> one_norm(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
