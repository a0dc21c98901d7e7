// SPDX-License-Identifier: BSD-3-Clause
// Computes the block triangular form, which shows what part of a general matrix need not be factorized.
#pragma once

#include <span>
#include <vector>

#include "frond/analysis_options.hpp"
#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// The rows and columns of a matrix in levels, as many rows as columns each, such that A is block upper triangular:
///
///         | D_0  N_01  N_02 |     level 0      D: the entries within levels, which are factorized
///     A = |      D_1   N_12 |           1      N: couplings, which are only multiplied with
///         |            D_2  |           2
///
/// A solve goes from the last level to the first, b_l := b_l - N x, x_l := D_l^-1 b_l, and the other way round with A^T (Duff &
/// Reid 1978; Davis & Natarajan 2010, "Algorithm 907: KLU"). A level may have several irreducible blocks, with entries between
/// them.
struct BlockTriangularForm {
  Index num_blocks = 0;     ///< irreducible diagonal blocks; 0: none were looked for
  Index largest_block = 0;  ///< order of the largest of them
  Index num_levels = 1;
  std::vector<Index> level_of_row;     ///< empty: there is one level
  std::vector<Index> level_of_column;  ///< of the same length
  std::vector<Index> row_of_column;    ///< a row of the same level for each column, with an entry there; empty: that of its number

  [[nodiscard]] bool splits() const { return num_levels > 1; }
};

/// True if blocks are to be looked for: in a general matrix that is factorized by LU, with all its variables, and as
/// AnalysisOptions::block_triangular says.
[[nodiscard]] bool may_be_block_triangular(const PatternView& pattern, const AnalysisOptions& options);

/// Returns the form in which a matrix is to be factorized; one level, and no count of blocks, where they are not to be looked for.
[[nodiscard]] BlockTriangularForm find_blocks(const PatternView& pattern, const AnalysisOptions& options);

/// Returns the form of a general square pattern, from its strong components in the order of the longest chains of couplings. Chains
/// can be long, and each level costs a solve one pass through its part of the tree: so neighbouring levels are merged until
/// kMostLevels are left, those first that have few couplings between them. The largest block shares its level only with blocks that
/// are not coupled with it. For Use::automatic there is one level unless more pay off (see there), and where the
/// structure is singular, or nothing splits. O(entries) for all practical purposes.
[[nodiscard]] BlockTriangularForm find_block_triangular_form(const PatternView& pattern, Use use);

inline constexpr Index kMostLevels = 8;

/// True if each column has a row of its own level; `row_of_column` empty: the row of the same number.
[[nodiscard]] bool keeps_levels(const BlockTriangularForm& form, std::span<const Index> row_of_column);

/// D or N by columns, with the row and column numbers of A. Without a column offset if there is one level.
struct SelectedEntries {
  std::vector<Count> column_offsets;
  LargeVector<Index> row_indices;
  LargeVector<Count> sources;  ///< [entry] = its place among the entries of A

  [[nodiscard]] Count num_entries() const { return static_cast<Count>(row_indices.size()); }
  [[nodiscard]] PatternView pattern() const;  ///< for a form that splits
};
[[nodiscard]] SelectedEntries levels_of(const PatternView& pattern, const BlockTriangularForm& form);     ///< D
[[nodiscard]] SelectedEntries couplings_of(const PatternView& pattern, const BlockTriangularForm& form);  ///< N

/// Returns the bytes held by the arrays.
[[nodiscard]] Count memory_bytes(const BlockTriangularForm& form);
[[nodiscard]] Count memory_bytes(const SelectedEntries& entries);

}  // namespace frond
