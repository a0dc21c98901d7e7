// SPDX-License-Identifier: BSD-3-Clause
// Orders what is to be written to a log, and limits how long memory may wait for a disk.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "solver/storage/checkpoint/front_log.hpp"

namespace frond {

/// Identifies a piece of a log.
struct LogKey {
  StoredKind kind = StoredKind::factor;
  NodeId node = 0;

  friend auto operator<=>(const LogKey& a, const LogKey& b) { return std::tie(a.node, a.kind) <=> std::tie(b.node, b.kind); }
  friend bool operator==(const LogKey&, const LogKey&) = default;
};

/// Pieces are written this many bytes at a time; after each, the writer checks whether a block is still wanted.
inline constexpr Count kLogBytesAtATime = Count{1} << 20;

/// Contribution blocks go first, in postorder, since their memory is to be freed; then factors, which stay in memory. A worker that
/// needs a block's memory waits for it as long as all such waits together stay below a fiftieth of the time since the start, plus
/// about 50 ms; after that the block is left out. Uses neither threads nor clocks: runs and simulations use the same queue.
///
/// A Piece has a `key`.
template <class Piece>
class LogQueue {
 public:
  void push(Piece piece) {
    if (is_block(piece.key.kind)) {
      blocks_.insert_or_assign(piece.key, std::move(piece));
    } else {
      factors_.push_back(std::move(piece));
    }
  }

  /// Whether no piece is waiting.
  [[nodiscard]] bool empty() const { return blocks_.empty() && factors_.empty(); }
  /// Whether no piece is waiting or being written.
  [[nodiscard]] bool is_idle() const { return empty() && !under_way_; }

  /// Takes the next piece, which is being written from now on until end(); there must be one.
  [[nodiscard]] Piece begin() {
    Piece piece;
    if (!blocks_.empty()) {
      piece = std::move(blocks_.begin()->second);
      blocks_.erase(blocks_.begin());
    } else {
      piece = std::move(factors_.front());
      factors_.pop_front();
    }
    under_way_ = piece.key;
    is_dropped_ = false;
    return piece;
  }
  /// Whether the piece being written is a block that is no longer waited for.
  [[nodiscard]] bool is_dropped() const { return is_dropped_; }
  void end(bool is_written) {
    num_dropped_ += is_written ? 0 : 1;
    under_way_.reset();
  }

  [[nodiscard]] bool is_pending(LogKey key) const { return blocks_.contains(key) || under_way_ == key; }
  /// Whether a worker that has waited this long may continue to wait, this long after the start.
  [[nodiscard]] bool may_wait(double seconds_waited, double seconds_since_begin) const {
    constexpr double kShare = 0.02;
    constexpr double kFreeSeconds = 0.05;
    return seconds_waited_ + seconds_waited <= kFreeSeconds + kShare * seconds_since_begin;
  }
  void count_wait(double seconds) { seconds_waited_ += seconds; }
  /// Leaves out a pending block. If it is being written, it ends when the writer finds it dropped.
  void drop(LogKey block) {
    num_dropped_ += static_cast<Count>(blocks_.erase(block));
    is_dropped_ = is_dropped_ || under_way_ == block;
  }
  /// Drops all waiting pieces.
  void clear() {
    blocks_.clear();
    factors_.clear();
  }
  /// Drops the piece being written, too.
  void stop() {
    clear();
    under_way_.reset();
  }

  [[nodiscard]] Count num_dropped() const { return num_dropped_; }
  [[nodiscard]] double seconds_waited() const { return seconds_waited_; }

 private:
  std::map<LogKey, Piece> blocks_;
  std::deque<Piece> factors_;
  std::optional<LogKey> under_way_;
  bool is_dropped_ = false;  // the piece being written
  Count num_dropped_ = 0;
  double seconds_waited_ = 0;
};

}  // namespace frond
