// SPDX-License-Identifier: BSD-3-Clause
// A thread that tells and hears signs of life, so that no rank waits for one that is gone.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/heartbeat.hpp"

namespace frond {

/// Watches all other ranks from here to the end of this object's life, whatever the ranks do meanwhile: reading, ordering,
/// factorizing. It wakes some times per limit and needs a channel of its own, which threads may call and which has room for a dozen
/// messages of one byte to each rank.
///
/// `rank_lost` is called on the watching thread, once, with the lowest rank that has been silent for `limit_seconds`. What waits
/// for that rank waits for ever, and MPI may not end: the program had better leave.
class RankWatch {
 public:
  RankWatch(Channel& channel, double limit_seconds, std::function<void(Rank)> rank_lost);

  /// Says goodbye and waits for the goodbyes of all others, or for the loss of one, so that nothing is under way afterwards.
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
  std::thread thread_;       // last: it uses all the others
};

}  // namespace frond
