// SPDX-License-Identifier: BSD-3-Clause
// Deals out tasks in chunks, and copies of unfinished ones to idle ranks (Mohammed, Cavelan & Ciorba 2019, "rDLB"). So all tasks
// are done as long as one rank lives, without detecting which ranks have failed.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "frond/types.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"

namespace frond {

struct TaskDealerOptions {
  ChunkKind chunks = ChunkKind::ss;
  bool gives_copies = true;
  Rank ranks_per_place = 1;  ///< ranks k·r, …, k·r + r - 1 are threads of one place: a copy at the same place would be useless
};

/// Tasks 0, …, facts.num_tasks - 1 for facts.num_ranks ranks. A rank keeps its tasks until they are finished anywhere: ranks are
/// neither watched nor given up.
///
///   two ranks, three tasks:   take(0) = {0}   take(1) = {1}   take(1) = {2}     and rank 1 is not heard of again
///                             take(0) = {1}   take(0) = {2}   take(0) = {}      copies: rank 0 has all tasks by now
class TaskDealer {
 public:
  TaskDealer(TaskDealerOptions options, ChunkFacts facts);

  /// Returns work for an idle rank: a chunk of tasks that no rank has, as the rule says; if there are none, a copy of the
  /// unfinished task with the fewest copies, the first of those, and never one that the rank's place has been given before. Empty:
  /// there is nothing for that rank, and never will be.
  [[nodiscard]] std::vector<Count> take(Rank rank);

  /// Notes that a task was done, or need not be done, possibly before it is dealt. False: it had been done before, and this result
  /// must be dropped.
  [[nodiscard]] bool finish(Count task);

  [[nodiscard]] bool is_finished(Count task) const { return state(task).is_finished; }
  [[nodiscard]] Count num_unfinished() const { return num_unfinished_; }
  [[nodiscard]] const std::vector<Rank>& places(Count task) const { return state(task).places; }  ///< that got it, in order
  [[nodiscard]] Count num_copies() const { return num_copies_; }                                  ///< given out so far
  [[nodiscard]] Rank place_of(Rank rank) const { return rank / options_.ranks_per_place; }

  /// The measured times of the rank, for the rules that use them.
  [[nodiscard]] TaskTimes& times(Rank rank) { return rule_.times(rank); }

 private:
  struct State {
    std::vector<Rank> places;
    bool is_finished = false;
  };
  /// The number of places that have a task, and the task.
  using Standing = std::pair<std::size_t, Count>;

  [[nodiscard]] const State& state(Count task) const { return states_[task]; }
  void give(Count task, Rank place);

  TaskDealerOptions options_;
  Count num_tasks_;
  Count num_unfinished_;
  Count num_copies_ = 0;
  ChunkRule rule_;
  std::vector<State> states_;     // [task]
  std::set<Standing> under_way_;  // of unfinished tasks that some rank has
};

}  // namespace frond
