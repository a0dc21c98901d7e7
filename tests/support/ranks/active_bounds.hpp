// SPDX-License-Identifier: BSD-3-Clause
// How much active memory ranks may hold, by the tree alone, where tasks may move that have not begun.
#pragma once

#include <vector>

#include "factorization/scheduling/task_graph.hpp"

namespace frond::test {

/// Bounds hold for a graph whose fronts are all of type 1, before anything is finished.
struct ActiveBounds {
  /// [rank] = the peak of its tasks, one after the other in postorder. What it leaves for other ranks never goes, and all that its
  /// fronts take from others is there when their turn comes.
  std::vector<Count> sequential;
  /// [rank] = all blocks that fronts of this rank may take from elsewhere at the most: those of children of other ranks, and of all
  /// that may move.
  std::vector<Count> streams;
  /// What all ranks may hold together: owners have done some of their tasks from the beginning of their orders, others have done
  /// some from the ends, and of each worker one is under way.
  Count sum = 0;
};
[[nodiscard]] ActiveBounds active_bounds(const TaskGraph& graph, Rank num_ranks, Index num_workers);

}  // namespace frond::test
