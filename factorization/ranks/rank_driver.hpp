// SPDX-License-Identifier: BSD-3-Clause
// The event loop of one rank: passes messages to a program, runs its jobs, and ensures that the run ends.
#pragma once

#include <chrono>
#include <functional>

#include "factorization/ranks/call_queue.hpp"
#include "factorization/ranks/rank_census.hpp"
#include "factorization/scheduling/worker_pool.hpp"
#include "frond/observer.hpp"
#include "loadinfo/load_service.hpp"
#include "loadinfo/messages/counted_channel.hpp"
#include "loadinfo/messages/message_program.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {

/// How a rank polls for events, and what it reports when there are none.
struct RankDriverOptions {
  std::chrono::microseconds shortest_period{20};   ///< between two polls of the channels while something happens
  std::chrono::microseconds longest_period{2000};  ///< and while it is quiet
  double census_seconds = 1;                       ///< rank 0 looks for a deadlock when it has been idle that long
  double watchdog_seconds = 0;                     ///< every rank reports what it waits for when it has been idle that long; 0:
                                                   ///< never
  Observer* observer = nullptr;                    ///< called on the loop's thread; never null if there is a watchdog
};

/// The resources of the loop, which outlive it. Nothing else uses the channels while it runs, except that the program sends on
/// `main`.
struct RankPorts {
  CountedChannel& main;
  Channel& control;   ///< used by the drivers only
  LoadService* load;  ///< null: the program exchanges no loads
  WorkerPool& pool;
  CallQueue& calls;  ///< to which workers post their calls to the program
};

/// Runs one program to its end, on the calling thread: load messages first, then calls of workers, main messages and room, then a
/// job (where no threads run them). When nothing happens it sleeps, longer and longer; a worker's call or a load message wakes it.
///
/// All ranks return together, when every program has ended and no message is under way. If every rank waits and no message is under
/// way though programs have not ended, all throw the same error: MemoryError if one waits for memory, InternalError otherwise.
class RankDriver {
 public:
  RankDriver(const RankPorts& ports, RankDriverOptions options);

  /// Calls look_around() at every poll, for events from elsewhere. Throws CommunicationError when a channel fails.
  void run(
      MessageProgram& program, const std::function<void()>& look_around = [] {});

 private:
  [[nodiscard]] bool step(MessageProgram& program);
  [[nodiscard]] bool serve_load(MessageProgram& program);
  [[nodiscard]] bool handle_main(MessageProgram& program);
  [[nodiscard]] RankStatus status(const MessageProgram& program, bool is_idle) const;
  void run_to_verdict(MessageProgram& program, const std::function<void()>& look_around);
  void stop_jobs();
  void throw_verdict() const;
  void look_for_request(MessageProgram& program);
  void look_at_clock(const MessageProgram& program, bool is_idle);

  RankPorts ports_;
  RankDriverOptions options_;
  RankCensus census_;
  WakePeriod period_;
  bool has_load_failed_ = false;
  double idle_since_ = 0;    // if the last step was idle
  double last_census_ = 0;   // rank 0
  double last_warning_ = 0;  // of the watchdog
};

}  // namespace frond
