// SPDX-License-Identifier: BSD-3-Clause
// Writes fronts to a log while others are computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "solver/storage/checkpoint/front_log.hpp"
#include "solver/storage/checkpoint/log_queue.hpp"

namespace frond {

using ByteSink = std::function<void(std::span<const std::byte> bytes)>;

/// A piece to be written.
struct PieceToWrite {
  LogKey key;
  std::vector<std::byte> described;
  std::function<void(const ByteSink& sink)> write;  ///< passes its entries on, a part at a time
  RowRange rows = {};
};

/// The state of the writing.
struct LogProgress {
  Count num_bytes = 0;                    ///< of entries
  Count num_blocks_let_go = 0;            ///< not written: the disk was too slow, or there was no room for them
  double seconds_waited = 0;              ///< by workers, for blocks that they were to free
  std::optional<std::string> error = {};  ///< that ended the writing
};

/// Two threads. One appends pieces to the log, in the order of a LogQueue. The other flushes to the disk what has been appended,
/// since no memory waits for that. Workers wait for a disk no longer than is worthwhile, and a disk error does not stop them:
/// writing just ends. A block for which there is no room is soon left out; factors wait for room, which obsolete blocks release,
/// until a thread waits for them.
class LogThreads {
 public:
  /// Called when pieces are on the disk, or may be; `wants_room`: entries wait for others to be released from the log.
  using OnCommitted = std::function<void(std::vector<StoredPiece> pieces, bool wants_room)>;

  /// `on_committed` is called by the second thread when pieces are on the disk, and in any case every `tick_seconds`, possibly
  /// without any. An exception from it ends the writing, as does a log that has no room for a second; on_error(text) is then called
  /// once. The log must outlive this object. Throws OutputError if the system cannot start two threads.
  LogThreads(FrontLogWriter& log, double tick_seconds, OnCommitted on_committed, std::function<void(const std::string&)> on_error);
  ~LogThreads();
  LogThreads(const LogThreads&) = delete;
  LogThreads& operator=(const LogThreads&) = delete;

  void push(PieceToWrite piece);

  /// Called to free the memory of a block: returns when nothing reads it any more.
  void let_go(LogKey block);

  /// Returns when everything pushed is written, or never will be: nothing reads its memory any more.
  void settle();

  /// Returns when everything pushed is on the disk, or never will be. Nothing may be pushed afterwards.
  void finish();

  /// Simulates the end of the process, for tests of losses: what is not on the disk never will be. Returns whether there was
  /// anything unwritten.
  bool abandon();

  [[nodiscard]] LogProgress progress() const;

 private:
  void run_writer();
  void run_committer();
  [[nodiscard]] bool take_next(PieceToWrite& piece);
  void write(const PieceToWrite& piece);
  [[nodiscard]] bool wait_for_room(StoredKind kind, Count bytes);
  void note_error(const std::string& what);
  [[nodiscard]] bool has_ended() const { return error_.has_value(); }

  FrontLogWriter& log_;
  double tick_seconds_;
  OnCommitted on_committed_;
  std::function<void(const std::string&)> on_error_;
  double begin_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  LogQueue<PieceToWrite> queue_;
  std::vector<StoredPiece> written_;  // not on the disk yet
  bool no_more_ = false;              // true: no more pieces will be pushed
  int num_settling_ = 0;              // threads that wait until everything is written
  bool writer_has_ended_ = false;
  bool wants_room_ = false;
  std::optional<Count> released_at_drop_;  // when the last block was left out for lack of room; used by the writer
  bool is_abandoned_ = false;
  Count num_bytes_ = 0;               // written
  std::optional<std::string> error_;  // that ended the writing
  std::thread writer_;
  std::thread committer_;
};

}  // namespace frond
