// SPDX-License-Identifier: BSD-3-Clause
// Maps the entries of A to fronts: for every node, its originals and their places in the front.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "frond/matrix.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

/// The original entries of A, bucketed by the variable at which they become active: entry (i, j) of the permuted matrix belongs to
/// variable min(i, j), and so to the node in which that variable is fully summed.
///
/// For e in [entries_begin(v), entries_begin(v + 1)), with k = the position of v in its front:
///   position(e) >= 0:  the entry lies at (position(e), k), in the lower triangle (diagonal included);
///   position(e) <  0:  it lies at (k, ~position(e)), strictly in the upper triangle. Of a symmetric or Hermitian matrix such an
///                      entry is held mirrored: its transposed (conjugate) goes to the lower triangle.
///   source(e):         its index in the values of the matrix that was analysed.
/// Positions count without delayed pivots: in a front that received d of them every position grows by d.
class EntryMap {
 public:
  EntryMap() = default;
  EntryMap(std::vector<Count> offsets, LargeVector<Index> positions, LargeVector<Count> sources)
      : offsets_(std::move(offsets)), positions_(std::move(positions)), sources_(std::move(sources)) {}

  [[nodiscard]] Count entries_begin(Index variable) const { return offsets_[variable]; }
  [[nodiscard]] Index position(Count entry) const { return positions_[entry]; }
  [[nodiscard]] Count source(Count entry) const { return sources_[entry]; }
  [[nodiscard]] Count num_entries() const { return static_cast<Count>(positions_.size()); }
  [[nodiscard]] Count memory_bytes() const;  ///< held by the arrays of this object

 private:
  std::vector<Count> offsets_ = {0};  // length num_variables + 1
  LargeVector<Index> positions_;
  LargeVector<Count> sources_;
};

/// Builds the map for `pattern` under inverse_perm[old] = new. sources[entry of the pattern] = its index in the values; empty: the
/// same index. O(entries + sum of front orders).
[[nodiscard]] EntryMap map_entries(const PatternView& pattern, std::span<const Index> inverse_perm, const AssemblyTree& tree,
                                   std::span<const Count> sources = {});

}  // namespace frond
