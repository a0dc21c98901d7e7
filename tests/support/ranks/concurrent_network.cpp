// SPDX-License-Identifier: BSD-3-Clause
// Locks the virtual network for ranks on several threads.
#include "tests/support/ranks/concurrent_network.hpp"

#include <utility>

namespace frond::test {

class ConcurrentNetwork::LockedChannel final : public Channel {
 public:
  LockedChannel(ConcurrentNetwork& owner, Channel& channel) : owner_(owner), channel_(channel) {}

  [[nodiscard]] Rank rank() const override { return channel_.rank(); }
  [[nodiscard]] Rank num_ranks() const override { return channel_.num_ranks(); }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    const std::lock_guard lock(owner_.mutex_);
    return channel_.send(to, body);
  }
  [[nodiscard]] bool take_room_event() override {
    const std::lock_guard lock(owner_.mutex_);
    return channel_.take_room_event();
  }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    const std::lock_guard lock(owner_.mutex_);
    owner_.network_.deliver();
    return channel_.poll();
  }

 private:
  ConcurrentNetwork& owner_;
  Channel& channel_;
};

ConcurrentNetwork::ConcurrentNetwork(Rank num_ranks, Count buffer_bytes, std::uint32_t seed)
    : network_(num_ranks, 1, buffer_bytes, seed) {
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    channels_.push_back(std::make_unique<LockedChannel>(*this, network_.channel(0, rank)));
  }
}

ConcurrentNetwork::~ConcurrentNetwork() = default;

Channel& ConcurrentNetwork::channel(Rank rank) { return *channels_[rank]; }

Count ConcurrentNetwork::num_refused() {
  const std::lock_guard lock(mutex_);
  return network_.num_refused();
}

std::vector<Count> ThreadSum::operator()(const std::vector<Count>& mine, const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  const int this_sum = num_sums_;
  unfinished_.resize(mine.size());
  for (std::size_t k = 0; k < mine.size(); ++k) {
    unfinished_[k] += mine[k];
  }
  if (++num_arrived_ == num_ranks_) {
    num_arrived_ = 0;
    ++num_sums_;
    finished_ = std::exchange(unfinished_, {});
  }
  while (num_sums_ == this_sum) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  return finished_;
}

}  // namespace frond::test
