// SPDX-License-Identifier: BSD-3-Clause
// Records which thread did what when in factorizations, and how much memory was in use, for pictures of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/factorization_options.hpp"
#include "frond/types.hpp"

namespace frond {

/// What a thread does in a node.
enum class WorkRole : std::uint8_t {
  subtree,     ///< all of a leaf subtree
  sequential,  ///< a front of type 1
  master,      ///< of a front of type 2, or of the root on a grid
  slave,       ///< of a front of type 2
  grid         ///< its blocks of the root on a grid
};

struct LoggedWork {
  Index node = 0;  ///< for a subtree its top
  WorkRole role = WorkRole::sequential;

  friend bool operator==(const LoggedWork&, const LoggedWork&) = default;
};

/// Plain values, so that they can be sent as they are.
struct LoggedSpan {
  double begin_seconds = 0;  ///< of steady_seconds(), as all times here
  double end_seconds = 0;
  LoggedWork work;
  int thread = 0;  ///< threads are numbered in order of appearance
};

struct LoggedBytes {
  double seconds = 0;
  Count bytes = 0;  ///< of factors and active memory together, by the meter
};

/// Thread-safe. Pieces of the same work of a thread with almost nothing in between are one span; of memory, the highest value
/// within a moment and the value at its end are recorded. A lane, or the list of memory, that is full becomes coarser: spans too
/// short to be seen are joined into one, as work of the longest and with their total length. So a log is bounded, however long the
/// run is.
class WorkLog {
 public:
  static constexpr std::size_t kMostEntries = 1 << 16;  ///< 2 MB; many times the number of pixels of a screen

  /// Keeps at most this many spans of each thread, and as many values of memory; at least 8.
  explicit WorkLog(std::size_t most_entries = kMostEntries) : most_entries_(most_entries) {}

  /// Marks the calling thread as working during the scope. A scope inside another belongs to the outer one.
  class Scope {
   public:
    /// `log` may be null, and outlives the scope.
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

  /// Sorted by thread, then by time; spans of a thread do not overlap.
  [[nodiscard]] std::vector<LoggedSpan> spans() const;
  [[nodiscard]] std::vector<LoggedBytes> memory() const;  ///< by time

 private:
  struct Lane {
    bool is_busy = false;
    double resolution_seconds = 0;  // shorter spans have been joined
    std::vector<LoggedSpan> spans;
  };

  [[nodiscard]] bool enter() noexcept;
  void leave(LoggedWork work, double begin_seconds) noexcept;
  void add_bytes(const LoggedBytes& point);
  void coarsen_memory();
  static void coarsen(Lane& lane);

  std::size_t most_entries_;
  mutable std::mutex mutex_;  // guards all members below
  std::map<std::thread::id, int> threads_;
  std::vector<Lane> lanes_;  // [thread]
  std::vector<LoggedBytes> memory_;
  double moment_length_ = 0;       // seconds, set with the first value
  double moment_seconds_ = 0;      // when the last moment began
  std::size_t moment_points_ = 0;  // values of the last moment: its highest, and its last unless that is the same
};

}  // namespace frond
