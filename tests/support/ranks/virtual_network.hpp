// SPDX-License-Identifier: BSD-3-Clause
// Connects virtual ranks in one process, with bounded buffers and an order of arrival drawn from a seed.
#pragma once

#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "loadinfo/messages/channel.hpp"

namespace frond::test {

/// Messages of one pair of ranks on one channel arrive in order; the next pair and channel are drawn at random. A quarter of the
/// pairs is slow: the others' messages overtake theirs most of the time.
class VirtualNetwork {
 public:
  /// `num_channels` between each pair of ranks; on each of its channels a rank may have `buffer_bytes` under way.
  VirtualNetwork(Rank num_ranks, int num_channels, Count buffer_bytes, std::uint32_t seed);
  ~VirtualNetwork();

  [[nodiscard]] Channel& channel(int number, Rank rank);

  /// Lets one message arrive, ready for poll(); false if none is under way.
  bool deliver();

  /// Ends a rank: a random number of the last messages that it sent on each link are lost, and messages to it vanish.
  void lose(Rank rank);

  /// True if nothing is under way and everything that arrived was polled.
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] Count num_refused() const { return num_refused_; }  ///< calls of send() that found the buffer full

 private:
  class VirtualChannel;
  struct Link {  // from one rank to another, on one channel
    std::deque<ReceivedMessage> under_way;
    VirtualChannel* sender = nullptr;
    VirtualChannel* receiver = nullptr;
    bool is_slow = false;
  };

  [[nodiscard]] std::size_t draw_link();
  [[nodiscard]] bool is_lost(Rank rank) const { return lost_[rank] != 0; }

  Rank num_ranks_;
  Count buffer_bytes_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<VirtualChannel>> channels_;  // channel c of rank r: channels_[c * num_ranks_ + r]
  std::vector<Link> links_;        // from rank i to j on channel c: links_[(c * num_ranks_ + i) * num_ranks_ + j]
  std::vector<std::size_t> busy_;  // links with messages under way, in no order
  std::vector<char> lost_;         // [rank]
  Count num_refused_ = 0;
};

}  // namespace frond::test
