// SPDX-License-Identifier: BSD-3-Clause
// One thread appends, one commits.
#include "solver/checkpoint/log_threads.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr double kWaitShare = 0.02;
constexpr double kFreeWaitSeconds = 0.05;

// Ends the writing of a block that nobody waits for any longer.
struct BlockDropped {};

}  // namespace

LogThreads::LogThreads(FrontLogWriter& log, double tick_seconds, std::function<void(std::vector<StoredPiece> pieces)> on_committed,
                       std::function<void(const std::string&)> on_error)
    : log_(log),
      tick_seconds_(tick_seconds),
      on_committed_(std::move(on_committed)),
      on_error_(std::move(on_error)),
      begin_(steady_seconds()),
      writer_([this] { run_writer(); }),
      committer_([this] { run_committer(); }) {}

LogThreads::~LogThreads() { finish(); }

void LogThreads::push(PieceToWrite piece) {
  {
    const std::lock_guard lock(mutex_);
    if (has_ended()) {
      return;
    }
    if (is_block(piece.key.kind)) {
      blocks_.insert_or_assign(piece.key, std::move(piece));
    } else {
      factors_.push_back(std::move(piece));
    }
  }
  changed_.notify_all();
}

bool LogThreads::may_wait(double seconds) const {
  return progress_.seconds_waited + seconds <= kFreeWaitSeconds + kWaitShare * (steady_seconds() - begin_);
}

void LogThreads::let_go(PieceToWrite::Key block) {
  std::unique_lock lock(mutex_);
  const auto is_pending = [&] { return blocks_.contains(block) || block_under_way_ == block; };
  if (!is_pending()) {
    return;
  }
  const double begin = steady_seconds();
  const auto waited = [begin] { return steady_seconds() - begin; };
  while (is_pending() && may_wait(waited())) {
    changed_.wait_for(lock, std::chrono::milliseconds(2));
  }
  if (blocks_.erase(block) > 0) {
    ++progress_.num_blocks_let_go;
  }
  is_block_dropped_ = block_under_way_ == block;
  changed_.wait(lock, [&] { return !is_pending(); });
  progress_.seconds_waited += waited();
}

void LogThreads::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return blocks_.empty() && factors_.empty() && !is_writing_; });
}

void LogThreads::finish() {
  {
    const std::lock_guard lock(mutex_);
    no_more_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) {
    writer_.join();
    committer_.join();
  }
}

LogProgress LogThreads::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void LogThreads::note_error(const std::string& what) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = !progress_.error;
    if (is_first) {
      progress_.error = what;
    }
    blocks_.clear();
    factors_.clear();
  }
  changed_.notify_all();
  if (is_first) {
    on_error_(what);
  }
}

// False when nothing is left and nothing follows.
bool LogThreads::take_next(PieceToWrite& piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return no_more_ || has_ended() || !blocks_.empty() || !factors_.empty(); });
  if (has_ended()) {
    return false;
  }
  if (!blocks_.empty()) {
    piece = std::move(blocks_.begin()->second);
    blocks_.erase(blocks_.begin());
    block_under_way_ = piece.key;
    is_block_dropped_ = false;
    is_writing_ = true;
    return true;
  }
  if (factors_.empty()) {
    return false;
  }
  is_writing_ = true;
  piece = std::move(factors_.front());
  factors_.pop_front();
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
    block_under_way_.reset();
    is_writing_ = false;
    writer_has_ended_ = true;
  }
  changed_.notify_all();
}

// What is left of a block that is dropped stays in the file, where nobody looks for it.
void LogThreads::write(const PieceToWrite& piece) {
  log_.begin(piece.key.kind);
  bool is_dropped = false;
  try {
    piece.write([&](std::span<const std::byte> bytes) {
      {
        const std::lock_guard lock(mutex_);
        if (has_ended() || (is_block(piece.key.kind) && is_block_dropped_)) {
          throw BlockDropped();
        }
      }
      log_.append(bytes);
    });
  } catch (const BlockDropped&) {
    is_dropped = true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!is_dropped) {
      written_.push_back(log_.end(piece.key.node, piece.rows, piece.described));
      progress_.num_bytes += written_.back().num_bytes;
    } else {
      ++progress_.num_blocks_let_go;
    }
    block_under_way_.reset();
    is_writing_ = false;
  }
  changed_.notify_all();
}

void LogThreads::run_committer() {
  try {
    for (bool is_last = false; !is_last;) {
      std::vector<StoredPiece> pieces;
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::duration<double>(tick_seconds_), [this] { return writer_has_ended_ || has_ended(); });
        is_last = writer_has_ended_ || has_ended();
        pieces = std::exchange(written_, {});
      }
      if (!pieces.empty()) {
        log_.commit(pieces);
      }
      on_committed_(std::move(pieces));
    }
  } catch (const std::exception& error) {
    note_error(error.what());
  }
}

}  // namespace frond
