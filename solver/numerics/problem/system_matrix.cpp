// SPDX-License-Identifier: BSD-3-Clause
// Checks the matrices that a caller passes.
#include "solver/numerics/problem/system_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

#include "analysis/graph/graph.hpp"
#include "frond/error.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

// 0-based (row, column) of a stored entry.
std::pair<Index, Index> position_of(const PatternView& pattern, std::size_t entry) {
  const auto after = std::upper_bound(pattern.column_offsets.begin(), pattern.column_offsets.end(), static_cast<Count>(entry));
  return {pattern.row_indices[entry], static_cast<Index>(after - pattern.column_offsets.begin() - 1)};
}

template <Scalar S>
[[noreturn]] void refuse_entry(const SystemMatrix<S>& matrix, std::size_t entry, const char* cause) {
  auto [row, col] = position_of(matrix.stored.pattern, entry);
  if (matrix.transposed) {
    std::swap(row, col);
  }
  throw UsageError(fmt::format("the entry in row {}, column {} (counted from 0) {}", row, col, cause));
}

}  // namespace

template <Scalar S>
void check_system(const SystemMatrix<S>& matrix) {
  const std::span<const S> values = matrix.stored.values;
  check_pattern(matrix.stored.pattern);
  if (values.size() != matrix.stored.pattern.row_indices.size()) {
    throw UsageError(fmt::format("the pattern has {} entries, but there are {} values", matrix.stored.pattern.row_indices.size(),
                                 values.size()));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!is_finite(values[k])) {
      refuse_entry(matrix, k, "is not a finite number; a matrix with NaN or infinite entries cannot be factorized");
    }
    if constexpr (kIsComplex<S>) {
      if (matrix.stored.pattern.symmetry == Symmetry::hermitian && values[k].imag() != 0) {
        const auto [row, col] = position_of(matrix.stored.pattern, k);
        if (row == col) {
          refuse_entry(matrix, k, "has an imaginary part, but the diagonal of a Hermitian matrix is real");
        }
      }
    }
  }
}

#define FROND_INSTANTIATE(S) template void check_system(const SystemMatrix<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
