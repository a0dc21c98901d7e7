// SPDX-License-Identifier: BSD-3-Clause
// Who did what when in factorizations, and how much memory was held: for pictures of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/factorization_options.hpp"
#include "frond/types.hpp"

namespace frond {

/// What somebody does in a node.
enum class WorkRole : std::uint8_t {
  subtree,     ///< all of a leaf subtree
  sequential,  ///< a front of type 1
  master,      ///< of a front of type 2, or of the root on a grid
  slave,       ///< of a front of type 2
  grid         ///< its blocks of the root on a grid
};

struct LoggedWork {
  Index node = 0;  ///< of a subtree its top
  WorkRole role = WorkRole::sequential;

  friend bool operator==(const LoggedWork&, const LoggedWork&) = default;
};

/// Plain values, so that they can be sent as they are.
struct LoggedSpan {
  double begin_seconds = 0;  ///< of steady_seconds(), as all times here
  double end_seconds = 0;
  LoggedWork work;
  int thread = 0;  ///< threads are counted as they come
};

struct LoggedBytes {
  double seconds = 0;
  Count bytes = 0;  ///< of factors and active memory together, by the meter
};

/// Thread-safe. Pieces of the same work of a thread with next to nothing in between are one span; of memory there is what is
/// highest within a moment, and what there is at its end. Where a lane is full, or the list of memory, it becomes coarser: what is
/// shorter than can be seen then is joined, as work of the longest, and as long as all of it. So a log is bounded, however long the
/// run is.
class WorkLog {
 public:
  static constexpr std::size_t kMostEntries = 1 << 16;  ///< 2 MB; many times what a screen has pixels

  /// At most so many spans of each thread, and as many looks at memory; at least 8.
  explicit WorkLog(std::size_t most_entries = kMostEntries) : most_entries_(most_entries) {}

  /// From here to its end the calling thread works. Where it does already, what is inside belongs to what is outside.
  class Scope {
   public:
    /// `log` may be null, and outlives this.
    Scope(WorkLog* log, LoggedWork work);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    WorkLog* log_;  // null: nothing is logged
    LoggedWork work_;
    double begin_seconds_ = 0;
  };

  void note_bytes(Count bytes) noexcept;

  /// By threads, and then by time; no two of a thread overlap.
  [[nodiscard]] std::vector<LoggedSpan> spans() const;
  [[nodiscard]] std::vector<LoggedBytes> memory() const;  ///< by time

 private:
  struct Lane {
    bool is_busy = false;
    double resolution_seconds = 0;  // spans shorter than that have been joined
    std::vector<LoggedSpan> spans;
  };

  [[nodiscard]] bool enter() noexcept;
  void leave(LoggedWork work, double begin_seconds) noexcept;
  void add_bytes(const LoggedBytes& point);
  void coarsen_memory();
  static void coarsen(Lane& lane);

  std::size_t most_entries_;
  mutable std::mutex mutex_;  // guards all that follows
  std::map<std::thread::id, int> threads_;
  std::vector<Lane> lanes_;  // [thread]
  std::vector<LoggedBytes> memory_;
  double moment_length_ = 0;       // seconds, set with the first point
  double moment_seconds_ = 0;      // when the last moment began
  std::size_t moment_points_ = 0;  // of it: its highest, and its last unless that is the same
};

}  // namespace frond
