// SPDX-License-Identifier: BSD-3-Clause
// Determines what is left of the fronts of a factorization that is to be resumed, and which of them must be executed again.
#pragma once

#include <span>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"

namespace frond {

/// The progress of a front.
enum class FrontStage : unsigned char {
  lost,       ///< nothing of it can be used
  under_way,  ///< it is laid out, and all participants continue it
  whole       ///< all parts of its factors are available
};

/// A front as all reports together describe it.
struct FrontCensus {
  FrontStage stage = FrontStage::lost;
  bool has_block = false;    ///< whole: all parts of its contribution block are held, stored, or on their way
  bool is_consumed = false;  ///< its parent, as it is (under way or whole), has added its block
  /// Executing it again, or to the end, from the same bits gives the same bits: its layout is known, or one process does it.
  bool is_reproducible = true;

  friend bool operator==(const FrontCensus&, const FrontCensus&) = default;
};

/// Returns the fronts to be executed again, [node] = 1: the smallest set that is closed under
///
///   (a)  a lost front belongs to it;
///   (b)  so does a whole one whose block is gone, if its parent belongs to it or is under way and has not consumed it;
///   (c)  and a front that is whole or under way, if a child would come out with other bits: one that belongs to it or is under way
///        and is not reproducible or has such a child itself. Its layout has the child's delayed pivots, and new factors next to it
///        would be those of another matrix.
///
/// All three are monotone, so there is one smallest set, which every set that can be executed contains. Linear in the nodes for
/// each sweep, usually two. `census` has one entry for each node.
[[nodiscard]] std::vector<char> fronts_to_execute(const AssemblyTree& tree, std::span<const FrontCensus> census);

/// Returns the largest set of fronts from which a factorization can resume: [node] = 1. Each of them has its factor and all fronts
/// below it in the set, and its block, unless its parent is in the set, too. All other fronts must be executed. Both lists are by
/// node.
[[nodiscard]] std::vector<char> resumable_fronts(const AssemblyTree& tree, const std::vector<char>& has_factor,
                                                 const std::vector<char>& has_block);

}  // namespace frond
