// SPDX-License-Identifier: BSD-3-Clause
// Orders that also consider the values, where pivots would be delayed otherwise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/ordering/ordering.hpp"
#include "analysis/pivots/block_triangular.hpp"
#include "analysis/pivots/pivot_magnitudes.hpp"

namespace frond {

/// An order and, for LU, the rows that were matched with columns before it was found.
struct PivotOrder {
  OrderedGraph ordered;  ///< of the matrix whose row row_of_column[j] lies at place j
  MatchingKind matching = MatchingKind::none;
  std::vector<Index> row_of_column;  ///< empty: every row keeps its place
  bool has_dear_delays = false;      ///< as in OrderingReport
  BlockTriangularForm blocks = {};   ///< where it splits, the order is that of D, and rows are those of their columns' levels
};

/// Orders the pattern as `options` ask, and checks whether the diagonal holds pivots. Where it is weak, or zero as in saddle point
/// problems, pivots wait for variables further up in the tree, and fronts grow. If this is predicted to make the factorization much
/// more expensive than by the pattern alone, a second order is found that has pivots where they are needed: LDLT orders the pairs
/// of pivot_partners() as one variable each, unless the lowest pivot threshold avoids the delays, LU the matrix with its rows
/// permuted by largest_product_matching(). The order with fewer flops, delays included, is taken: matchings do not pay off
/// everywhere, they can double the fill of a symmetric pattern.
///
/// `magnitudes` are those of the entries of `pattern`, of a matrix with its rows and columns scaled alike; they are waited for once
/// the order by the pattern is known. Without any, and for `natural`, `given` and Cholesky, the pattern alone counts.
/// options.ordering.matching skips the comparison. Throws UsageError if `given` is not a permutation.
///
/// Where the matrix is to be split into levels (see block_triangular.hpp), these are ordered instead, and matched within; `blocks`
/// is the form that find_blocks() finds, if it is known.
///
/// Variables of a Schur complement come last in the order asked for; all of the above then holds for the block of the others alone,
/// so that no matching takes a row out of it.
[[nodiscard]] PivotOrder order_for_pivots(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                          const AnalysisOptions& options, std::optional<BlockTriangularForm> blocks = {});

/// [entry] = the place of its row, places[row]; empty if the rows keep theirs.
[[nodiscard]] LargeVector<Index> renumbered_rows(const PatternView& pattern, std::span<const Index> row_of_column);

/// The order of elimination alone, by variables: with it as `given` ordering several processes analyse the same pattern alike.
struct VariableOrder {
  OrderingKind kind = OrderingKind::natural;  ///< never `automatic`
  MatchingKind matching = MatchingKind::none;
  std::vector<Index> perm;           ///< perm[new] = old
  std::vector<Index> row_of_column;  ///< as in PivotOrder
  bool has_dear_delays = false;      ///< as in OrderingReport
  Index num_compressed = 0;          ///< variables of the compressed graph
  double ordering_seconds = 0;       ///< in the ordering alone
  bool is_block_triangular = false;  ///< true: the order is that of Use::always; false: of `never`
  Index num_blocks = 0;              ///< as in BlockTriangularForm
  Index largest_block = 0;
};

/// Throws like order_for_pivots(), and UsageError for arrays that are not a pattern.
[[nodiscard]] VariableOrder order_variables(const PatternView& pattern, const PivotMagnitudes& magnitudes,
                                            const AnalysisOptions& options, std::optional<BlockTriangularForm> blocks = {});

}  // namespace frond
