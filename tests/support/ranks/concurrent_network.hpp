// SPDX-License-Identifier: BSD-3-Clause
// Makes the virtual network usable by ranks on threads of their own, and sums over these ranks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {

/// One channel between ranks on different threads. Each poll lets one randomly drawn message of the network arrive.
class ConcurrentNetwork {
 public:
  ConcurrentNetwork(Rank num_ranks, Count buffer_bytes, std::uint32_t seed);
  ~ConcurrentNetwork();

  [[nodiscard]] Channel& channel(Rank rank);
  [[nodiscard]] Count num_refused();

 private:
  class LockedChannel;

  std::mutex mutex_;  // guards the network
  VirtualNetwork network_;
  std::vector<std::unique_ptr<LockedChannel>> channels_;
};

/// A SumOverRanks between threads.
class ThreadSum {
 public:
  explicit ThreadSum(int num_ranks) : num_ranks_(num_ranks) {}
  [[nodiscard]] std::vector<Count> operator()(const std::vector<Count>& mine, const std::function<void()>& meanwhile);

 private:
  int num_ranks_;
  std::mutex mutex_;  // guards all members below
  int num_arrived_ = 0;
  int num_sums_ = 0;  // that were finished
  std::vector<Count> unfinished_;
  std::vector<Count> finished_;  // kept until all ranks have entered the next sum, hence have read it
};

}  // namespace frond::test
