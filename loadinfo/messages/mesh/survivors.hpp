// SPDX-License-Identifier: BSD-3-Clause
// Lets processes work together as long as one of them lives.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "frond/error.hpp"
#include "loadinfo/messages/heartbeat.hpp"
#include "loadinfo/messages/mesh/mesh.hpp"
#include "loadinfo/messages/mesh/rank_losses.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// One process of a run. Collective work happens on communicator(); when that throws LossError, go_on() agrees with all living
/// processes on who they are, and a new communicator can be made. The agreement is a chain of records sealed by the arbiter, so
/// that wrong suspicions do no harm: a process that is missing from a record is fenced, even if it is alive.
///
/// A thread sends and receives signs of life and looks for records of others. Apart from that, only one thread may use the object.
class Survivors {
 public:
  /// Meets the others in the directory of `mesh`, which is also the arbiter's. A process that is silent for `limit_seconds` is
  /// lost; one that the arbiter knows to be gone is lost at once.
  Survivors(const MeshOptions& mesh, double limit_seconds);
  ~Survivors();
  Survivors(const Survivors&) = delete;
  Survivors& operator=(const Survivors&) = delete;

  [[nodiscard]] Rank rank() const { return mesh_.rank(); }                ///< among all processes at the start
  [[nodiscard]] const SurvivalRecord& record() const { return record_; }  ///< number 0: no process has been lost so far
  [[nodiscard]] bool leads() const { return record_.members.front() == rank(); }

  /// Makes the communicator of the record's members; each of them calls this once for each record.
  [[nodiscard]] Communicator communicator();

  /// To be called after LossError, or any other sign that a process is gone. Returns the exit code of the run if it has ended
  /// meanwhile. Throws another LossError if the others consider this process lost.
  [[nodiscard]] std::optional<int> go_on();

  /// Fenced processes, which are in no current record, may damage files until they end or notice it: returns when all of them have
  /// ended, as the arbiter reports, or after `most_seconds`.
  void wait_for_fenced(double most_seconds) const;

  /// Ends the run after all work is done. The leader seals the exit code of the run; returns that code. Throws LossError if the
  /// leader is lost before.
  [[nodiscard]] int end(int code);

 private:
  void watch();
  void look_around();
  void hear();
  void tell();
  void adopt(const SurvivalRecord& record);

  Mesh mesh_;
  Arbiter arbiter_;
  RankLosses losses_;
  Heartbeat heartbeat_;  // used by the thread
  SurvivalRecord record_;
  std::atomic<Index> record_number_{0};  // read by the thread
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;  // guarded by mutex_
  std::thread thread_;    // last: it uses all other members
};

}  // namespace frond
