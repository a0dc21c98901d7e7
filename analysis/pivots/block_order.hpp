// SPDX-License-Identifier: BSD-3-Clause
// Orders a matrix for elimination over compressed columns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// Rows and columns in an order that makes A block upper triangular, with irreducible diagonal blocks whose diagonals are stored.
struct BlockOrder {
  std::vector<Index> row_order;     ///< [k] = row of A at place k
  std::vector<Index> column_order;  ///< [k] = column of A at place k
  std::vector<Index> blocks;        ///< the first places of the blocks, and the order of A
  double multiplications = 0;       ///< of updates, predicted for pivots on the diagonal with the patterns of A + A^T
  double entries = 0;               ///< of L and U, diagonals included, likewise
};

/// Finds the blocks (Duff & Reid 1978, "An implementation of Tarjan's algorithm for the block triangularization of a matrix"), and
/// orders each by approximate minimum degree of A + A^T (Amestoy, Davis & Duff 1996). Returns nothing if the matrix is structurally
/// singular or has too many entries for the integers of AMD.
[[nodiscard]] std::optional<BlockOrder> order_blocks(const PatternView& pattern);

/// Orders a symmetric matrix, of which one or both triangles are stored, by approximate minimum degree: one block. `entries` are
/// those of L with its diagonal. Returns nothing if the matrix has too many entries for the integers of AMD.
[[nodiscard]] std::optional<BlockOrder> order_symmetric(const PatternView& pattern);

/// Orders a symmetric matrix, of which one or both triangles are stored, for elimination as a general one: rows of pairs,
/// partners[v] being the other one of v's pair, or v, are exchanged, so that the entry between the two is the first of their
/// pivots. The pairs and the other variables are ordered by approximate minimum degree: one block.
[[nodiscard]] BlockOrder order_pairs(const PatternView& pattern, std::span<const Index> partners);

}  // namespace frond
