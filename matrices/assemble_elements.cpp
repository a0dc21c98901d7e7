// SPDX-License-Identifier: BSD-3-Clause
// Adds finite elements and square blocks to triplets.
#include "frond/matrix.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>

#include "frond/error.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

void check_block_arrays(Index num_block_rows, Index block_size, std::span<const Count> offsets, std::span<const Index> columns,
                        std::size_t num_values) {
  if (num_block_rows < 0 || block_size < 1 || static_cast<Count>(num_block_rows) * block_size > std::numeric_limits<Index>::max()) {
    throw UsageError(
        fmt::format("{} rows of blocks of size {} are no matrix whose order is below 2^31", num_block_rows, block_size));
  }
  const auto num_offsets = static_cast<std::size_t>(num_block_rows) + 1;
  if (offsets.size() != num_offsets || offsets.front() != 0 || offsets.back() != static_cast<Count>(columns.size())) {
    throw UsageError(
        fmt::format("{} offsets for {} rows of blocks and {} blocks: there must be one more than rows, from 0 to the "
                    "number of blocks",
                    offsets.size(), num_block_rows, columns.size()));
  }
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i + 1] < offsets[i]) {
      throw UsageError(
          fmt::format("the offsets of block row {} (counted from 0) go back from {} to {}", i, offsets[i], offsets[i + 1]));
    }
  }
  const auto block_entries = static_cast<std::size_t>(block_size) * static_cast<std::size_t>(block_size);
  if (num_values != columns.size() * block_entries) {
    throw UsageError(fmt::format("{} values for {} blocks of size {}", num_values, columns.size(), block_size));
  }
}

// Adds the entries of a row-major block that the matrix stores.
template <Scalar S>
void add_block(Triplets<S>& matrix, Index block_row, Index block_column, Index size, std::span<const S> values) {
  const bool is_whole = matrix.symmetry == Symmetry::general || block_column < block_row;
  std::size_t next = 0;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j, ++next) {
      if (is_whole || i > j || (i == j && matrix.symmetry != Symmetry::skew_symmetric)) {
        matrix.add(block_row * size + i, block_column * size + j, values[next]);
      }
    }
  }
}

}  // namespace

template <Scalar S>
void add_element(Triplets<S>& matrix, std::span<const Index> variables, std::span<const std::type_identity_t<S>> values,
                 bool is_lower) {
  const std::size_t k = variables.size();
  if (values.size() != k * k) {
    throw UsageError(fmt::format("an element of {} variables has {} values instead of {}", k, values.size(), k * k));
  }
  for (std::size_t b = 0; b < k; ++b) {
    for (std::size_t a = 0; a < k; ++a) {
      const S value = values[a + b * k];
      if (matrix.symmetry == Symmetry::general) {
        matrix.add(variables[a], variables[b], value);
      } else if (a == b ? matrix.symmetry != Symmetry::skew_symmetric : (a > b) == is_lower) {
        if (variables[a] >= variables[b]) {
          matrix.add(variables[a], variables[b], value);
        } else {
          matrix.add(variables[b], variables[a], mirrored(matrix.symmetry, value));
        }
      }
    }
  }
}

template <Scalar S>
SparseMatrix<S> from_block_rows(Index num_block_rows, Index block_size, std::span<const Count> offsets,
                                std::span<const Index> columns, std::span<const S> values, Symmetry symmetry) {
  check_block_arrays(num_block_rows, block_size, offsets, columns, values.size());
  const Index order = num_block_rows * block_size;
  Triplets<S> triplets{order, order, symmetry};
  const auto block_entries = static_cast<std::size_t>(block_size) * static_cast<std::size_t>(block_size);
  for (Index block_row = 0; block_row < num_block_rows; ++block_row) {
    for (auto block = static_cast<std::size_t>(offsets[block_row]);
         block < static_cast<std::size_t>(offsets[static_cast<std::size_t>(block_row) + 1]); ++block) {
      const Index block_column = columns[block];
      if (block_column < 0 || block_column >= num_block_rows || (symmetry != Symmetry::general && block_column > block_row)) {
        throw UsageError(fmt::format("a block in block row {} is at block column {} (counted from 0), outside the matrix{}",
                                     block_row, block_column, symmetry == Symmetry::general ? "" : " or its lower triangle"));
      }
      add_block<S>(triplets, block_row, block_column, block_size, values.subspan(block * block_entries, block_entries));
    }
  }
  return compress(std::move(triplets));
}

#define FROND_INSTANTIATE(S)                                                                                                 \
  template void add_element(Triplets<S>&, std::span<const Index>, std::span<const S>, bool);                                 \
  template SparseMatrix<S> from_block_rows(Index, Index, std::span<const Count>, std::span<const Index>, std::span<const S>, \
                                           Symmetry);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
