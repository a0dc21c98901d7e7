// SPDX-License-Identifier: BSD-3-Clause
// Runs one thread that appends, and one that commits.
#include "solver/storage/checkpoint/log_threads.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

// Ends the writing of a block that is no longer waited for.
struct BlockDropped {};

// Limits for waiting while nothing is freed; for a factor, once a thread waits for it.
constexpr double kMostSecondsWithoutRoom = 5;
constexpr double kMostSecondsOfBlockWithoutRoom = 0.5;

}  // namespace

LogThreads::LogThreads(FrontLogWriter& log, double tick_seconds, OnCommitted on_committed,
                       std::function<void(const std::string&)> on_error)
    : log_(log),
      tick_seconds_(tick_seconds),
      on_committed_(std::move(on_committed)),
      on_error_(std::move(on_error)),
      begin_(steady_seconds()) {
  try {
    writer_ = std::thread([this] { run_writer(); });
    committer_ = std::thread([this] { run_committer(); });
  } catch (const std::exception& error) {
    finish();  // the writer may still be running
    throw OutputError(fmt::format("{}: a thread that writes it cannot be started: {}", log_.stem(), error.what()));
  }
}

LogThreads::~LogThreads() { finish(); }

void LogThreads::push(PieceToWrite piece) {
  {
    const std::lock_guard lock(mutex_);
    if (has_ended()) {
      return;
    }
    queue_.push(std::move(piece));
  }
  changed_.notify_all();
}

void LogThreads::let_go(LogKey block) {
  std::unique_lock lock(mutex_);
  if (!queue_.is_pending(block)) {
    return;
  }
  const double begin = steady_seconds();
  const auto waited = [begin] { return steady_seconds() - begin; };
  while (queue_.is_pending(block) && queue_.may_wait(waited(), steady_seconds() - begin_)) {
    changed_.wait_for(lock, std::chrono::milliseconds(2));
  }
  queue_.drop(block);
  changed_.wait(lock, [&] { return !queue_.is_pending(block); });
  queue_.count_wait(waited());
}

void LogThreads::settle() {
  std::unique_lock lock(mutex_);
  ++num_settling_;
  changed_.wait(lock, [this] { return queue_.is_idle(); });
  --num_settling_;
}

void LogThreads::finish() {
  {
    const std::lock_guard lock(mutex_);
    no_more_ = true;
  }
  changed_.notify_all();
  for (std::thread* thread : {&writer_, &committer_}) {
    if (thread->joinable()) {
      thread->join();
    }
  }
}

bool LogThreads::abandon() {
  bool is_anything_lost = false;
  {
    const std::lock_guard lock(mutex_);
    is_abandoned_ = true;
    error_ = error_ ? error_ : "abandoned";
    is_anything_lost = !queue_.is_idle() || !written_.empty();
    queue_.clear();
  }
  finish();
  return is_anything_lost;
}

LogProgress LogThreads::progress() const {
  const std::lock_guard lock(mutex_);
  return {num_bytes_, queue_.num_dropped(), queue_.seconds_waited(), error_};
}

void LogThreads::note_error(const std::string& what) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = !error_;
    if (is_first) {
      error_ = what;
    }
    queue_.clear();
  }
  changed_.notify_all();
  if (is_first) {
    on_error_(what);
  }
}

// Returns false when nothing is left and nothing more will follow.
bool LogThreads::take_next(PieceToWrite& piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return no_more_ || has_ended() || !queue_.empty(); });
  if (has_ended() || queue_.empty()) {
    return false;
  }
  piece = queue_.begin();
  return true;
}

void LogThreads::run_writer() {
  try {
    for (PieceToWrite piece; take_next(piece);) {
      write(piece);
    }
  } catch (const std::exception& error) {
    log_.give_up_piece();
    note_error(error.what());
  }
  {
    const std::lock_guard lock(mutex_);
    queue_.stop();
    writer_has_ended_ = true;
  }
  changed_.notify_all();
}

void LogThreads::write(const PieceToWrite& piece) {
  log_.begin(piece.key.kind);
  bool is_dropped = false;
  try {
    piece.write([&](std::span<const std::byte> bytes) {
      if (!wait_for_room(piece.key.kind, static_cast<Count>(bytes.size()))) {
        throw BlockDropped();
      }
      {
        const std::lock_guard lock(mutex_);
        if (has_ended() || queue_.is_dropped()) {
          throw BlockDropped();
        }
      }
      log_.append(bytes);
    });
  } catch (const BlockDropped&) {
    log_.give_up_piece();
    is_dropped = true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!is_dropped) {
      written_.push_back(log_.end(piece.key.node, piece.rows, piece.described));
      num_bytes_ += written_.back().num_bytes;
    }
    queue_.end(!is_dropped);
  }
  changed_.notify_all();
}

// Returns false for a block that is to be left out. After one, no other waits until something has been freed.
bool LogThreads::wait_for_room(StoredKind kind, Count bytes) {
  double begin = steady_seconds();
  Count released = log_.num_released();
  while (!log_.has_room(bytes)) {
    if (is_block(kind) && released_at_drop_ == log_.num_released()) {
      return false;
    }
    if (std::exchange(released, log_.num_released()) != released) {
      begin = steady_seconds();
    }
    const double waited = steady_seconds() - begin;
    if (is_block(kind) && waited > kMostSecondsOfBlockWithoutRoom) {
      released_at_drop_ = released;
      return false;
    }
    if (waited > kMostSecondsWithoutRoom) {
      throw OutputError(fmt::format("{}: there is no room for more than the predicted {} bytes", log_.stem(), log_.most_bytes()));
    }
    std::unique_lock lock(mutex_);
    if (has_ended() || queue_.is_dropped()) {
      return true;
    }
    if (!is_block(kind) && !no_more_ && num_settling_ == 0) {
      begin = steady_seconds();  // no thread waits for it
    }
    wants_room_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
  return true;
}

void LogThreads::run_committer() {
  try {
    for (bool is_last = false; !is_last;) {
      std::vector<StoredPiece> pieces;
      bool wants_room = false;
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::duration<double>(tick_seconds_),
                          [this] { return writer_has_ended_ || has_ended() || wants_room_; });
        is_last = writer_has_ended_ || has_ended();
        wants_room = std::exchange(wants_room_, false);
        pieces = std::exchange(written_, {});
        if (is_abandoned_) {
          return;
        }
      }
      if (!pieces.empty()) {
        log_.commit(pieces);
      }
      on_committed_(std::move(pieces), wants_room);
    }
  } catch (const std::exception& error) {
    note_error(error.what());
  }
}

}  // namespace frond
