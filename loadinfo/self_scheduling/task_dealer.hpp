// SPDX-License-Identifier: BSD-3-Clause
// Who has which tasks, and what of them is done: tasks are dealt out in chunks, and copies of unfinished ones to ranks that are
// idle (Mohammed, Cavelan & Ciorba 2019, "rDLB"). So all is done as long as one rank lives, and nobody need find out who does not.
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
  Rank ranks_per_place = 1;  ///< ranks k·r, …, k·r + r - 1 are threads of one place: a copy at the same place would be of no use
};

/// Tasks 0, …, facts.num_tasks - 1 for facts.num_ranks ranks. What a rank has been given stays with it until somebody has finished
/// it: ranks are neither watched nor given up.
///
///   two ranks, three tasks:   take(0) = {0}   take(1) = {1}   take(1) = {2}     and rank 1 is heard of no more
///                             take(0) = {1}   take(0) = {2}   take(0) = {}      copies: all is with rank 0 by now
class TaskDealer {
 public:
  TaskDealer(TaskDealerOptions options, ChunkFacts facts);

  /// For a rank that has nothing to do: a chunk of what nobody has, as the rule says; if there is none, a copy of the unfinished
  /// task of which there are fewest, the first of those, and never one that the rank's place has been given before. Empty: there is
  /// nothing for that rank, and never will be.
  [[nodiscard]] std::vector<Count> take(Rank rank);

  /// The task was done by somebody, or needs not be done: before it is dealt, too. False: it had been done before, and this result
  /// is to be dropped.
  [[nodiscard]] bool finish(Count task);

  [[nodiscard]] bool is_finished(Count task) const { return state(task).is_finished; }
  [[nodiscard]] Count num_unfinished() const { return num_unfinished_; }
  [[nodiscard]] const std::vector<Rank>& places(Count task) const { return state(task).places; }  ///< that were given it, in order
  [[nodiscard]] Count num_copies() const { return num_copies_; }                                  ///< that were given
  [[nodiscard]] Rank place_of(Rank rank) const { return rank / options_.ranks_per_place; }

  /// What the rank was measured to need, for the rules that ask for it.
  [[nodiscard]] TaskTimes& times(Rank rank) { return rule_.times(rank); }

 private:
  struct State {
    std::vector<Rank> places;
    bool is_finished = false;
  };
  /// How many have a task, and which.
  using Standing = std::pair<std::size_t, Count>;

  [[nodiscard]] const State& state(Count task) const { return states_[static_cast<std::size_t>(task)]; }
  void give(Count task, Rank place);

  TaskDealerOptions options_;
  Count num_tasks_;
  Count num_unfinished_;
  Count num_copies_ = 0;
  ChunkRule rule_;
  std::vector<State> states_;     // [task]
  std::set<Standing> under_way_;  // of tasks that somebody has and nobody has finished
};

}  // namespace frond
