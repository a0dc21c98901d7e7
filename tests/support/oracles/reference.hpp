// SPDX-License-Identifier: BSD-3-Clause
// Provides independent oracles for the analysis: symbolic elimination on a dense table, and checks against it.
#pragma once

#include <string>
#include <vector>

#include "analysis/graph/graph.hpp"
#include "analysis/symbolic.hpp"
#include "tests/support/matrices/patterns.hpp"

namespace frond::test {

/// The pattern of L, found by eliminating one variable after the other on a dense table in O(n^3).
class NaiveFactor {
 public:
  /// Eliminates A + A^T in the order perm[new] = old.
  NaiveFactor(const PatternView& pattern, const std::vector<Index>& perm);

  [[nodiscard]] Index order() const { return static_cast<Index>(lower_.size()); }
  [[nodiscard]] bool has(Index row, Index column) const { return lower_[row][column]; }  ///< row >= column; the diagonal always
  [[nodiscard]] std::vector<Index> parent() const;
  [[nodiscard]] std::vector<Index> counts() const;

 private:
  std::vector<std::vector<bool>> lower_;
};

/// Returns the first promise of the assembly tree that is broken for this pattern and permutation, or "" if all hold: a
/// permutation, node parents as the fill implies, every entry of A and of the fill inside a front, no front larger than the fill if
/// `exact`.
[[nodiscard]] std::string check_structure(const AssemblyTree& tree, const NaiveFactor& factor, bool exact);

/// Returns the first entry of A that the entry map misplaces, misses or repeats; "" if there is none.
[[nodiscard]] std::string check_entries(const EntryMap& entries, const AssemblyTree& tree, const PatternView& pattern,
                                        const std::vector<Index>& inverse_perm);

/// Returns "" if perm is a permutation and inverse_perm its inverse.
[[nodiscard]] std::string check_permutation(const Permutation& permutation);

}  // namespace frond::test
