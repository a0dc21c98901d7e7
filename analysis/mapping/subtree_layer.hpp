// SPDX-License-Identifier: BSD-3-Clause
// The layer of leaf subtrees, each done by one rank without messages (Geist, Ng 1989, "Task scheduling for parallel sparse Cholesky
// factorization", Int. J. Parallel Programming 18).
#pragma once

#include <span>
#include <vector>

#include "analysis/mapping/rank_range.hpp"
#include "analysis/tree/assembly_tree.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// The times by which cuts of the tree are judged, [node] in seconds.
struct SubtreeTimes {
  std::vector<double> alone;     ///< of the subtree on one rank
  std::vector<double> critical;  ///< with any number of ranks, if its top is not part of a leaf subtree
};

[[nodiscard]] SubtreeTimes subtree_times(const AssemblyTree& tree, Method method, const MappingOptions& options);

/// A layer of disjoint subtrees; the nodes above them are the upper tree.
struct SubtreeLayer {
  std::vector<NodeId> tops;   ///< increasing; subtree k is [subtree_begin(tops[k]), tops[k]]
  double allowed_excess = 0;  ///< seconds by which the most loaded rank may exceed the best that is possible
};

/// Starts with the roots, and replaces the subtree with the most work by those of its children until the subtrees, each given to
/// the least loaded rank in decreasing order of work, are balanced: the most loaded rank exceeds the mean (or the heaviest subtree
/// that must stay whole) by at most `allowed_excess`, which no subtree that might still be cut reaches otherwise. A subtree stays
/// whole when cutting it would not save the tolerance's part of its time with any number of ranks: a chain of small fronts, or a
/// small leaf.
[[nodiscard]] SubtreeLayer find_subtree_layer(const AssemblyTree& tree, const SubtreeTimes& times, const MappingOptions& options);

/// [k] = rank of the k-th item. Items in decreasing order of `seconds` each go to the least loaded rank of their `preferred` ones,
/// or of all when the former would exceed mean and heaviest item by more than `allowed_excess`. If that happens nevertheless,
/// preferences are dropped.
[[nodiscard]] std::vector<Rank> assign_to_ranks(std::span<const double> seconds, std::span<const RankRange> preferred,
                                                Rank num_ranks, double allowed_excess);

}  // namespace frond
