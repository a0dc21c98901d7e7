// SPDX-License-Identifier: BSD-3-Clause
// Deals chunks first, then copies.
#include "loadinfo/self_scheduling/task_dealer.hpp"

#include <algorithm>
#include <cstddef>

namespace frond {

TaskDealer::TaskDealer(TaskDealerOptions options, ChunkFacts facts)
    : options_(options),
      num_tasks_(facts.num_tasks),
      num_unfinished_(facts.num_tasks),
      rule_(options.chunks, std::move(facts)),
      states_(static_cast<std::size_t>(num_tasks_)) {}

std::vector<Count> TaskDealer::take(Rank rank) {
  const Rank place = place_of(rank);
  std::vector<Count> tasks;
  while (tasks.empty() && rule_.num_left() > 0) {
    const Count begin = num_tasks_ - rule_.num_left();
    const Count end = begin + rule_.next(rank);
    for (Count task = begin; task < end; ++task) {
      if (!is_finished(task)) {
        give(task, place);
        tasks.push_back(task);
      }
    }
  }
  if (!tasks.empty() || !options_.gives_copies) {
    return tasks;
  }
  const auto copied = std::find_if(under_way_.begin(), under_way_.end(), [&](const Standing& standing) {
    const std::vector<Rank>& places = state(standing.second).places;
    return std::find(places.begin(), places.end(), place) == places.end();
  });
  if (copied != under_way_.end()) {
    const Count task = copied->second;
    give(task, place);
    ++num_copies_;
    tasks.push_back(task);
  }
  return tasks;
}

void TaskDealer::give(Count task, Rank place) {
  std::vector<Rank>& places = states_[task].places;
  under_way_.erase({places.size(), task});
  places.push_back(place);
  under_way_.insert({places.size(), task});
}

bool TaskDealer::finish(Count task) {
  State& finished = states_[task];
  if (finished.is_finished) {
    return false;
  }
  finished.is_finished = true;
  under_way_.erase({finished.places.size(), task});
  --num_unfinished_;
  return true;
}

}  // namespace frond
