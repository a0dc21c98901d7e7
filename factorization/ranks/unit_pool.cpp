// SPDX-License-Identifier: BSD-3-Clause
// Forms chunks of units, weighted by their expected time.
#include "factorization/ranks/unit_pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frond {
namespace {

constexpr double kUnitsPerRank = 16;
constexpr double kOverheadSeconds = 100e-6;  // of a chunk: less work than this is not worth a task of its own, either (TaskCut)

double unit_seconds(const TaskGraph& graph, TaskId top) {
  double seconds = 0;
  for (TaskId id = graph.task(top).unit.first; id <= top; ++id) {
    seconds += front_seconds(graph.task(id).cost);
  }
  return seconds;
}

ChunkFacts facts_of(const TaskGraph& graph, const std::vector<TaskId>& tops, std::size_t num_members) {
  std::vector<double> seconds;
  std::transform(tops.begin(), tops.end(), std::back_inserter(seconds), [&graph](TaskId top) { return unit_seconds(graph, top); });
  const auto num_units = static_cast<double>(std::max<std::size_t>(1, tops.size()));
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / num_units;
  double squares = 0;
  std::for_each(seconds.begin(), seconds.end(), [&](double one) { squares += (one - mean) * (one - mean); });
  return {.num_tasks = static_cast<Count>(tops.size()),
          .num_ranks = static_cast<Rank>(num_members),
          .deviation_seconds = std::sqrt(squares / num_units),
          .overhead_seconds = kOverheadSeconds};
}

}  // namespace

std::vector<TaskId> pool_units(const TaskGraph& graph, std::size_t num_members) {
  double flops = 0;
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    flops += graph.task(id).may_move ? graph.task(id).own_flops : 0;
  }
  const double most_flops = flops / (kUnitsPerRank * static_cast<double>(num_members));
  std::vector<TaskId> tops;
  for (TaskId id = graph.num_tasks() - 1; id >= 0; --id) {
    const Task& task = graph.task(id);
    if (task.may_move && (task.num_children == 0 || task.unit.flops <= most_flops)) {
      tops.push_back(id);
      id = task.unit.first;  // the next one lies before all of it
    }
  }
  std::reverse(tops.begin(), tops.end());
  return tops;
}

UnitPool::UnitPool(const TaskGraph& graph, std::span<const Rank> members, ChunkKind chunks)
    : graph_(graph),
      members_(members.begin(), members.end()),
      left_(members.size()),
      seconds_left_(members.size(), 0),
      rule_(chunks, facts_of(graph, pool_units(graph, members.size()), members.size())) {
  for (const TaskId top : pool_units(graph, members.size())) {
    const std::size_t owner = index_of(graph.task(top).rank);
    left_[owner].push_back(top);
    seconds_left_[owner] += seconds_of(top);
    mean_seconds_ += seconds_of(top);
    ++num_left_;
  }
  mean_seconds_ /= std::max<Index>(1, num_left_);
}

double UnitPool::seconds_of(TaskId top) const { return unit_seconds(graph_, top); }

void UnitPool::note(Rank rank, const DoneChunk& chunk) {
  if (chunk.num_units == 0) {
    return;
  }
  TaskTimes& times = rule_.times(static_cast<Rank>(index_of(rank)));
  times.note(chunk.num_units, chunk.seconds, chunk.seconds_with_overhead);
  for (Index unit = 0; unit < chunk.num_units; ++unit) {
    times.note_task(chunk.seconds / chunk.num_units);
  }
}

// Returns null if no rank has a unit that fits.
std::deque<TaskId>* UnitPool::source_for(std::size_t asker, Count free_bytes) {
  if (!left_[asker].empty()) {
    return &left_[asker];
  }
  std::deque<TaskId>* source = nullptr;
  double most_seconds = 0;
  for (std::size_t member = 0; member < left_.size(); ++member) {
    if (!left_[member].empty() && seconds_left_[member] > most_seconds &&
        graph_.task(left_[member].back()).unit.bytes() <= free_bytes) {
      source = &left_[member];
      most_seconds = seconds_left_[member];
    }
  }
  return source;
}

std::vector<TaskId> UnitPool::take(Rank rank, Count free_bytes) {
  const std::size_t asker = index_of(rank);
  std::vector<TaskId> tops;
  std::deque<TaskId>* source = source_for(asker, free_bytes);
  if (source == nullptr) {
    return tops;
  }
  // The rule counts units as if all were alike: some may be left when it has none.
  const double wanted = mean_seconds_ * static_cast<double>(std::max<Count>(1, rule_.next(static_cast<Rank>(asker))));
  double seconds = 0;
  while (source != nullptr && (tops.empty() || seconds < wanted)) {
    const bool is_own = source == &left_[asker];
    const TaskId top = is_own ? source->front() : source->back();
    const double more = seconds_of(top);
    if (!tops.empty() && seconds + more / 2 > wanted) {
      break;
    }
    if (is_own) {
      source->pop_front();
    } else {
      source->pop_back();
      free_bytes -= graph_.task(top).unit.bytes();
    }
    seconds_left_[source - left_.data()] -= more;
    seconds += more;
    --num_left_;
    tops.push_back(top);
    source = source_for(asker, free_bytes);
  }
  return tops;
}

}  // namespace frond
