// SPDX-License-Identifier: BSD-3-Clause
// Computes products with a sparse matrix in one pass over its columns, for every symmetry and operation.
#include "matrices/products.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
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
  const auto add = [&](std::size_t to, std::size_t from, S value) { y[to] += std::abs(value) * std::abs(x[from]); };
  for_each_term(matrix, operation != Operation::plain, add, add);
}

template <Scalar S>
RealOf<S> infinity_norm(const MatrixView<S>& matrix) {
  const std::vector<S> ones(static_cast<std::size_t>(matrix.pattern.num_cols), S(1));
  std::vector<RealOf<S>> row_sums(static_cast<std::size_t>(matrix.pattern.num_rows));
  multiply_magnitudes<S>(matrix, Operation::plain, ones, row_sums);
  return row_sums.empty() ? RealOf<S>{} : *std::max_element(row_sums.begin(), row_sums.end());
}

template <Scalar S>
RealOf<S> one_norm(const MatrixView<S>& matrix) {
  const std::vector<S> ones(static_cast<std::size_t>(matrix.pattern.num_rows), S(1));
  std::vector<RealOf<S>> column_sums(static_cast<std::size_t>(matrix.pattern.num_cols));
  multiply_magnitudes<S>(matrix, Operation::transposed, ones, column_sums);
  return column_sums.empty() ? RealOf<S>{} : *std::max_element(column_sums.begin(), column_sums.end());
}

#define FROND_INSTANTIATE(S)                                                                                    \
  template void multiply(const MatrixView<S>&, Operation, std::span<const S>, std::span<S>);                    \
  template void multiply_magnitudes(const MatrixView<S>&, Operation, std::span<const S>, std::span<RealOf<S>>); \
  template RealOf<S> infinity_norm(const MatrixView<S>&);                                                       \
  template RealOf<S> one_norm(const MatrixView<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
