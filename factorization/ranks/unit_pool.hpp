// SPDX-License-Identifier: BSD-3-Clause
// A pool of units of movable tasks that one rank gives out on request, in chunks (Mohammed, Cavelan & Ciorba, "rDLB: A Novel
// Approach for Robust Dynamic Load Balancing of Scientific Applications with Parallel Independent Tasks").
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

#include "factorization/scheduling/task_graph.hpp"
#include "frond/load_options.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"

namespace frond {

/// Returns the tops of the units into which movable tasks are cut, increasing: the largest of at most a sixteenth of a rank's share
/// of their work, and leaves. Tasks above them stay with their rank. All ranks find the same units.
[[nodiscard]] std::vector<TaskId> pool_units(const TaskGraph& graph, std::size_t num_members);

/// A rank's measurements of a chunk that it has done.
struct DoneChunk {
  Index num_units = 0;  ///< 0: there was none
  double seconds = 0;
  double seconds_with_overhead = 0;  ///< since it was asked for
  friend bool operator==(const DoneChunk&, const DoneChunk&) = default;
};

/// The units that have not been given out, on the rank that gives them.
class UnitPool {
 public:
  UnitPool(const TaskGraph& graph, std::span<const Rank> members, ChunkKind chunks);

  [[nodiscard]] Index num_left() const { return num_left_; }
  void note(Rank rank, const DoneChunk& chunk);
  /// Returns tops for a rank with that much memory for the work of others: as many as are expected to take as long as the rule's
  /// number of mean units. Its own come first, in their order and whatever they need, since the rank's plan counts them; then those
  /// from the end of the rank that has most left. Empty if there are none, or they need more memory.
  [[nodiscard]] std::vector<TaskId> take(Rank rank, Count free_bytes);

 private:
  [[nodiscard]] std::size_t index_of(Rank rank) const {
    return static_cast<std::size_t>(std::lower_bound(members_.begin(), members_.end(), rank) - members_.begin());
  }
  [[nodiscard]] std::deque<TaskId>* source_for(std::size_t asker, Count free_bytes);
  [[nodiscard]] double seconds_of(TaskId top) const;

  const TaskGraph& graph_;
  std::vector<Rank> members_;
  std::vector<std::deque<TaskId>> left_;  // [member]
  std::vector<double> seconds_left_;      // [member]
  Index num_left_ = 0;
  double mean_seconds_ = 0;
  ChunkRule rule_;
};

}  // namespace frond
