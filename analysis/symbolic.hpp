// SPDX-License-Identifier: BSD-3-Clause
// The result of the analysis, and the call that makes it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "analysis/graph/permutation.hpp"
#include "analysis/pivots/block_triangular.hpp"
#include "analysis/pivots/pivot_magnitudes.hpp"
#include "analysis/tree/assembly_tree.hpp"
#include "analysis/tree/entry_map.hpp"
#include "frond/analysis_options.hpp"
#include "frond/matrix.hpp"

namespace frond {

struct VariableOrder;

/// What ordering was used and what it costs, before any front is formed.
struct OrderingReport {
  OrderingKind kind = OrderingKind::natural;  ///< never `automatic`: the one that was taken
  MatchingKind matching = MatchingKind::none;
  bool has_dear_delays = false;  ///< delays are predicted to be expensive unless the pivot threshold is lowered
  Index num_compressed = 0;      ///< variables of the compressed graph (n when compression brought nothing)
  double ordering_seconds = 0;   ///< in the ordering library alone
  double analysis_seconds = 0;   ///< whole analysis
};

/// Costs of the numerical factorization when no pivot is delayed. Flops count one multiplication or addition of the scalar type.
struct FactorizationEstimate {
  double elimination_flops =
      0;  ///< over exact column counts: sum of c^2 (symmetric), sum of (c-1) + 2 (c-1)^2 (LU), c = entries of the column of L
  double front_flops = 0;          ///< the same with the explicit zeros of amalgamation: what will be executed
  Count exact_factor_entries = 0;  ///< of L (symmetric) or L and U (diagonal once), without amalgamation
  Count factor_entries = 0;        ///< with it
  Index max_front_order = 0;
};

/// What is known about A from its pattern: everything the numerical phases share. Immutable once it is shared.
class Symbolic {
 public:
  Symbolic(Permutation permutation, std::vector<Index> row_of_column, AssemblyTree tree, EntryMap entries, OrderingReport ordering,
           Symmetry symmetry, Index structural_rank, std::uint64_t pattern_hash, double exact_sum_c, double exact_sum_c2,
           BlockTriangularForm blocks = {}, SelectedEntries couplings = {});

  [[nodiscard]] Index order() const { return tree_.num_variables(); }
  [[nodiscard]] Symmetry symmetry() const { return symmetry_; }
  /// The largest rank that values can give A; entries of the pattern that are zero count.
  [[nodiscard]] Index structural_rank() const { return structural_rank_; }
  [[nodiscard]] std::uint64_t pattern_hash() const { return pattern_hash_; }  ///< of the pattern as it was given
  /// Permutation of the columns of A, and of its rows unless they have been matched: perm[new variable] = column.
  [[nodiscard]] const Permutation& permutation() const { return permutation_; }
  /// Permutation of the rows of A: perm[new variable] = row.
  [[nodiscard]] const Permutation& row_permutation() const {
    return row_of_column_.empty() ? permutation_ : matched_row_permutation_;
  }
  [[nodiscard]] const std::vector<Index>& row_perm() const { return row_permutation().perm; }
  /// [column] = the row of A that was given the same place, for large entries on the diagonal; empty: that of its number.
  [[nodiscard]] const std::vector<Index>& row_of_column() const { return row_of_column_; }
  [[nodiscard]] const AssemblyTree& tree() const { return tree_; }
  /// Number of variables that stay for a Schur complement, whose rows and columns are those of tree().schur_node() in their order.
  [[nodiscard]] Index schur_order() const { return tree_.schur_node() == kNoNode ? 0 : tree_.num_fully_summed(tree_.schur_node()); }
  /// [k] = original number of row and column k of the Schur complement.
  [[nodiscard]] std::span<const Index> schur_variables() const;
  /// The entries that are factorized: all of A except the couplings.
  [[nodiscard]] const EntryMap& entries() const { return entries_; }
  [[nodiscard]] Count num_entries() const { return entries_.num_entries() + couplings_.num_entries(); }  ///< of A
  /// Where the form splits, tree and entries are those of the matrix D of its levels, whose trees are a forest; so are all
  /// predictions and factors.
  [[nodiscard]] const BlockTriangularForm& blocks() const { return blocks_; }
  [[nodiscard]] const SelectedEntries& couplings() const { return couplings_; }
  [[nodiscard]] const OrderingReport& ordering() const { return ordering_; }
  /// Reports how the order that analyze() was given had been found.
  void set_origin(const VariableOrder& found);
  [[nodiscard]] FactorizationEstimate estimate(Method method) const;
  [[nodiscard]] Count memory_bytes() const;  ///< held by this object itself

 private:
  Permutation permutation_;
  std::vector<Index> row_of_column_;
  Permutation matched_row_permutation_;  // empty where rows have their columns' numbers
  AssemblyTree tree_;
  EntryMap entries_;
  OrderingReport ordering_;
  Symmetry symmetry_;
  Index structural_rank_;
  std::uint64_t pattern_hash_;
  double exact_sum_c_;   // sum over columns of c
  double exact_sum_c2_;  // sum over columns of c^2
  BlockTriangularForm blocks_;
  SelectedEntries couplings_;
};

/// Orders A, builds its assembly tree and predicts its costs. With the magnitudes of the entries (as in order_for_pivots(), which
/// decides) it ensures pivots where the diagonal is weak; the result serves for other values, too, but these may have to delay more
/// pivots. Throws UsageError for a matrix that is not square, for arrays that are not a pattern, for a given ordering that is not a
/// permutation, for variables of a Schur complement that do not exist or are listed twice, and for a graph that the index type of
/// METIS or AMD cannot count. `blocks` is the block triangular form that `options` ask for, if it is known (find_blocks()).
[[nodiscard]] std::shared_ptr<Symbolic> analyze(const PatternView& pattern, const AnalysisOptions& options = {},
                                                const PivotMagnitudes& magnitudes = {},
                                                std::optional<BlockTriangularForm> blocks = {});

}  // namespace frond
