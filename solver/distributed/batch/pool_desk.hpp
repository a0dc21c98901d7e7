// SPDX-License-Identifier: BSD-3-Clause
// The desk of the process that holds the pool of all tasks.
#pragma once

#include <chrono>
#include <utility>

#include "frond/load_options.hpp"
#include "loadinfo/self_scheduling/task_dealer.hpp"
#include "solver/distributed/batch/task_desk.hpp"

namespace frond {

struct PoolDeskOptions {
  std::vector<Count> tasks;  ///< task numbers, increasing
  ChunkKind chunks = ChunkKind::ss;
  bool gives_copies = false;
  Rank workers_per_place = 1;
  Rank num_places = 1;           ///< this place is the first of them
  Observer* observer = nullptr;  ///< says when no further task is to begin; may be null
};

/// Workers of all places are ranks here: place · workers_per_place + worker, so that those of this process come first.
class PoolDesk final : public TaskDesk {
 public:
  /// done(task, result) is called once per task, by one thread at a time.
  using Done = std::function<void(Count task, std::string&& result)>;

  PoolDesk(PoolDeskOptions options, Done done);

  [[nodiscard]] std::vector<Count> take(Rank rank, const ChunkSeconds& last) override;
  void finish(Rank rank, Count task, std::string result) override;
  void fail(const std::exception_ptr& exception) override;

  // The rest is for the thread that serves other places.

  /// True if no further task is to begin: all are done, one has failed, or a stop was requested.
  [[nodiscard]] bool is_over();
  [[nodiscard]] std::exception_ptr failure();
  /// Places that hold copies of tasks that were finished since the last call.
  [[nodiscard]] std::vector<std::pair<Rank, Count>> take_news();
  /// Number of copies given of tasks that others had not finished.
  [[nodiscard]] Count num_copies();
  /// Sleeps for at most this long, or until workers of this process have done something.
  void sleep(std::chrono::nanoseconds longest);

 private:
  [[nodiscard]] bool is_wanted(Count task) const override { return !failure_ && !pool_.is_finished(index_of(task)); }
  [[nodiscard]] Count index_of(Count task) const;
  void look_for_stop();

  PoolDeskOptions options_;
  Done done_;
  TaskDealer pool_;
  std::exception_ptr failure_;  // the first one
  std::vector<std::pair<Rank, Count>> news_;
};

}  // namespace frond
