// SPDX-License-Identifier: BSD-3-Clause
// A thread that sends and receives signs of life, so that no rank waits for one that is gone.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/heartbeat.hpp"

namespace frond {

/// Watches all other ranks during the life of this object, whatever the ranks do meanwhile: reading, ordering, factorizing. It
/// wakes several times per limit and needs a channel of its own, which threads may call and which has room for a dozen one-byte
/// messages to each rank.
///
/// The watching thread calls `rank_lost` once, with the lowest rank that has been silent for `limit_seconds`. Calls that wait for
/// that rank never return, and MPI may not end: the program should exit.
class RankWatch {
 public:
  RankWatch(Channel& channel, double limit_seconds, std::function<void(Rank)> rank_lost);

  /// Says goodbye and waits for the goodbyes of all others, or for the loss of one, so that no message is under way afterwards.
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

 private:
  enum class Sign : unsigned char { alive, goodbye };

  void run();
  void hear();
  void tell(Sign sign);

  Channel& channel_;
  Heartbeat heartbeat_;
  std::function<void(Rank)> rank_lost_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_leaving_ = false;  // guarded by mutex_
  std::thread thread_;       // last: it uses all other members
};

}  // namespace frond
