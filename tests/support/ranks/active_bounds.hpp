// SPDX-License-Identifier: BSD-3-Clause
// Bounds the active memory of ranks from the tree alone, where tasks that have not begun may move.
#pragma once

#include <vector>

#include "factorization/scheduling/task_graph.hpp"

namespace frond::test {

/// The bounds hold for a graph whose fronts are all of type 1, before any task has finished.
struct ActiveBounds {
  /// [rank] = the peak of its tasks in postorder. Blocks that it leaves for other ranks stay, and all blocks that its fronts take
  /// from others are there when their turn comes.
  std::vector<Count> sequential;
  /// [rank] = upper bound of the blocks that fronts of this rank take from elsewhere: those of children on other ranks, and of all
  /// children that may move.
  std::vector<Count> streams;
  /// Bound for all ranks together: owners have done some of their tasks from the beginning of their orders, others have done some
  /// from the ends, and each worker has one under way.
  Count sum = 0;
};
[[nodiscard]] ActiveBounds active_bounds(const TaskGraph& graph, Rank num_ranks, Index num_workers);

}  // namespace frond::test
