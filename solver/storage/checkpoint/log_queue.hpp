// SPDX-License-Identifier: BSD-3-Clause
// What waits to be written to a log, and how long memory may wait for a disk.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "solver/storage/checkpoint/front_log.hpp"

namespace frond {

/// By which a piece of a log is known.
struct LogKey {
  StoredKind kind = StoredKind::factor;
  NodeId node = 0;

  friend auto operator<=>(const LogKey& a, const LogKey& b) { return std::tie(a.node, a.kind) <=> std::tie(b.node, b.kind); }
  friend bool operator==(const LogKey&, const LogKey&) = default;
};

/// Pieces are written so many bytes at a time; in between it is noticed that a block is not wanted any more.
inline constexpr Count kLogBytesAtATime = Count{1} << 20;

/// Contribution blocks go first, in postorder, since their memory is wanted back; then factors, which stay where they are. A block
/// that is wanted back is waited for as long as all such waits together stay below a fiftieth of the time since the beginning, and
/// some 50 ms more; after that it is left out. Knows neither threads nor clocks: runs and simulations decide by the same queue.
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

  /// Nothing waits.
  [[nodiscard]] bool empty() const { return blocks_.empty() && factors_.empty(); }
  /// And nothing is under way.
  [[nodiscard]] bool is_idle() const { return empty() && !under_way_; }

  /// Takes the next piece, which is under way from now on until end(); there is one.
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
  /// What is under way is a block that nobody waits for any longer.
  [[nodiscard]] bool is_dropped() const { return is_dropped_; }
  void end(bool is_written) {
    num_dropped_ += is_written ? 0 : 1;
    under_way_.reset();
  }

  [[nodiscard]] bool is_pending(LogKey key) const { return blocks_.contains(key) || under_way_ == key; }
  /// Whether somebody who has waited so long may go on, so long after the beginning.
  [[nodiscard]] bool may_wait(double seconds_waited, double seconds_since_begin) const {
    constexpr double kShare = 0.02;
    constexpr double kFreeSeconds = 0.05;
    return seconds_waited_ + seconds_waited <= kFreeSeconds + kShare * seconds_since_begin;
  }
  void count_wait(double seconds) { seconds_waited_ += seconds; }
  /// Leaves a block out that is pending. If it is under way, it ends when whoever writes it finds it dropped.
  void drop(LogKey block) {
    num_dropped_ += static_cast<Count>(blocks_.erase(block));
    is_dropped_ = is_dropped_ || under_way_ == block;
  }
  /// Nothing that waits is to be written any more.
  void clear() {
    blocks_.clear();
    factors_.clear();
  }
  /// Neither is what is under way.
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
  bool is_dropped_ = false;  // what is under way
  Count num_dropped_ = 0;
  double seconds_waited_ = 0;
};

}  // namespace frond
