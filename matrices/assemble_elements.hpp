// SPDX-License-Identifier: BSD-3-Clause
// Matrices that come as sums of small dense ones, or as blocks.
#pragma once

#include <span>
#include <type_traits>

#include "matrices/build.hpp"

namespace frond {

/// Adds a finite element to a matrix that is assembled by triplets: entry (a, b) of the element, values[a + b * k] for k variables,
/// belongs to row variables[a] and column variables[b], 0-based; contributions to one position add up. A matrix that is not general
/// takes one triangle of the element, with its diagonal, on which those of a skew-symmetric one are left out: `is_lower` says which
/// is looked at. Throws UsageError unless `values` has k * k entries. compress(), or DistributedSystem, checks the variables.
template <Scalar S>
void add_element(Triplets<S>& matrix, std::span<const Index> variables, std::span<const std::type_identity_t<S>> values,
                 bool is_lower = true);

/// A matrix of square blocks, compressed by block rows (BSR): block row i holds the blocks k in [offsets[i], offsets[i + 1]), each
/// at block column columns[k], with its block_size^2 values row by row. When `symmetry` is not general, the blocks of the lower
/// block triangle; of blocks on the diagonal the lower triangle is looked at. Blocks of one position add up. Throws UsageError when
/// the arrays are no such matrix, and when the order is beyond Index.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> from_block_rows(Index num_block_rows, Index block_size, std::span<const Count> offsets,
                                              std::span<const Index> columns, std::span<const S> values,
                                              Symmetry symmetry = Symmetry::general);

}  // namespace frond
