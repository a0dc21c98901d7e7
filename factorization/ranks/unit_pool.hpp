// SPDX-License-Identifier: BSD-3-Clause
// Units of movable tasks that one rank gives to those who ask, in chunks (Mohammed, Cavelan & Ciorba, "rDLB: A Novel Approach for
// Robust Dynamic Load Balancing of Scientific Applications with Parallel Independent Tasks").
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "factorization/scheduling/task_graph.hpp"
#include "frond/load_options.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"

namespace frond {

/// Tops of the units into which movable tasks are cut, increasing: the largest of at most a sixteenth of a rank's share of their
/// work, and leaves. What lies above them stays with its rank. All ranks find the same.
[[nodiscard]] std::vector<TaskId> pool_units(const TaskGraph& graph, std::size_t num_members);

/// What a rank has measured of a chunk that it has done.
struct DoneChunk {
  Index num_units = 0;  ///< 0: there was none
  double seconds = 0;
  double seconds_with_overhead = 0;  ///< since it was asked for
  friend bool operator==(const DoneChunk&, const DoneChunk&) = default;
};

/// Those that nobody has been given, on the rank that gives them.
class UnitPool {
 public:
  UnitPool(const TaskGraph& graph, std::span<const Rank> members, ChunkKind chunks);

  [[nodiscard]] Index num_left() const { return num_left_; }
  void note(Rank rank, const DoneChunk& chunk);
  /// Tops for a rank with that much memory for the work of others: as many as are expected to take as long as the rule's number of
  /// mean units does. Its own come first, in their order and whatever they need, since the rank's plan counts them; then those from
  /// the end of whoever has most left. Empty: there are none, or they need more memory.
  [[nodiscard]] std::vector<TaskId> take(Rank rank, Count free_bytes);

 private:
  [[nodiscard]] std::size_t index_of(Rank rank) const;
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
