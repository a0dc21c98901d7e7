// SPDX-License-Identifier: BSD-3-Clause
// Processes that work together as long as one of them lives.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/heartbeat.hpp"
#include "loadinfo/messages/mesh/mesh.hpp"
#include "loadinfo/messages/mesh/rank_losses.hpp"
#include "loadinfo/messages/ranks/arbiter.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

//   begin ──► communicator of the record's members ──► read, analyse, factorize, solve ──► end, a record, too
//                    ▲                                       │ LossError, wherever somebody waits
//                    └──── next record: the first proposal ◄─┘
//                          that gets its name counts for all

/// One process of a run. What all do together they do on communicator(); when that throws LossError, go_on() agrees with all who
/// live on who that is, and there is another communicator. The agreement is a chain of records that the arbiter seals, so that
/// suspicions do no harm: whoever is in no record any more is fenced, however much alive.
///
/// A thread gives and hears signs of life and looks for records of others. To be used by one thread, beside that.
class Survivors {
 public:
  /// Meets the others in the directory of `mesh`, which is that of the arbiter, too. A process that is silent for so long is lost;
  /// one that the arbiter knows to be gone is lost at once.
  Survivors(const MeshOptions& mesh, double limit_seconds);
  ~Survivors();
  Survivors(const Survivors&) = delete;
  Survivors& operator=(const Survivors&) = delete;

  [[nodiscard]] Rank rank() const { return mesh_.rank(); }                ///< among all who began
  [[nodiscard]] const SurvivalRecord& record() const { return record_; }  ///< number 0: nobody was lost so far
  [[nodiscard]] bool leads() const { return record_.members.front() == rank(); }

  /// Makes that of the record's members; each of them calls this once for each record.
  [[nodiscard]] Communicator communicator();

  /// After LossError, or whatever else shows that somebody is gone. Returns the code of the run if it has ended meanwhile. Throws
  /// FencedError if it is this process that is lost to the others.
  [[nodiscard]] std::optional<int> go_on();

  /// Who is in no record any more may do harm to files until it has ended, or knows it: returns when all of them have, as the
  /// arbiter says, or after so many seconds.
  void wait_for_fenced(double most_seconds) const;

  /// All have done their work. The one that leads seals the code with which the run ends; returns that. Throws LossError if it is
  /// gone before.
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
  Heartbeat heartbeat_;  // of the thread
  SurvivalRecord record_;
  std::atomic<Index> record_number_{0};  // for the thread
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;  // guarded by mutex_
  std::thread thread_;    // last: it uses all the others
};

}  // namespace frond
