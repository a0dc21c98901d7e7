// SPDX-License-Identifier: BSD-3-Clause
// Delivers messages between virtual ranks in random order.
#include "tests/support/ranks/virtual_network.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace frond::test {

class VirtualNetwork::VirtualChannel final : public Channel {
 public:
  VirtualChannel(VirtualNetwork& network, std::size_t first_link, Rank rank)
      : network_(network), first_link_(first_link), rank_(rank) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank num_ranks() const override { return network_.num_ranks_; }

  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    if (network_.is_lost(to) || network_.is_lost(rank_)) {
      return true;
    }
    if (bytes_under_way_ > 0 && bytes_under_way_ + body.num_bytes() > network_.buffer_bytes_) {
      was_refused_ = true;
      ++network_.num_refused_;
      return false;
    }
    const std::size_t link = first_link_ + static_cast<std::size_t>(to);
    if (network_.links_[link].under_way.empty()) {
      network_.busy_.push_back(link);
    }
    network_.links_[link].under_way.emplace_back(rank_, body);
    bytes_under_way_ += body.num_bytes();
    return true;
  }

  [[nodiscard]] bool take_room_event() override { return std::exchange(has_room_, false); }

  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    if (arrived_.empty()) {
      return std::nullopt;
    }
    std::optional<ReceivedMessage> message(std::move(arrived_.front()));
    arrived_.pop_front();
    return message;
  }

  void on_left(Count num_bytes) {
    bytes_under_way_ -= num_bytes;
    has_room_ = has_room_ || std::exchange(was_refused_, false);
  }
  void on_arrived(ReceivedMessage message) { arrived_.push_back(std::move(message)); }
  [[nodiscard]] bool is_polled() const { return arrived_.empty(); }

 private:
  VirtualNetwork& network_;
  std::size_t first_link_;
  Rank rank_;
  Count bytes_under_way_ = 0;
  bool was_refused_ = false;
  bool has_room_ = false;
  std::deque<ReceivedMessage> arrived_;
};

VirtualNetwork::VirtualNetwork(Rank num_ranks, int num_channels, Count buffer_bytes, std::uint32_t seed)
    : num_ranks_(num_ranks),
      buffer_bytes_(buffer_bytes),
      random_(seed),
      links_(static_cast<std::size_t>(num_channels * num_ranks * num_ranks)),
      lost_(static_cast<std::size_t>(num_ranks), 0) {
  const auto ranks = static_cast<std::size_t>(num_ranks);
  for (std::size_t index = 0; index < static_cast<std::size_t>(num_channels) * ranks; ++index) {
    channels_.push_back(std::make_unique<VirtualChannel>(*this, index * ranks, static_cast<Rank>(index % ranks)));
  }
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const std::size_t sender = link / ranks;
    links_[link].sender = channels_[sender].get();
    links_[link].receiver = channels_[sender / ranks * ranks + link % ranks].get();
    links_[link].is_slow = random_() % 4 == 0;
  }
}

VirtualNetwork::~VirtualNetwork() = default;

Channel& VirtualNetwork::channel(int number, Rank rank) { return *channels_[number * num_ranks_ + rank]; }

std::size_t VirtualNetwork::draw_link() {
  const std::size_t drawn = random_() % busy_.size();
  return links_[busy_[drawn]].is_slow && random_() % 8 != 0 ? random_() % busy_.size() : drawn;
}

bool VirtualNetwork::deliver() {
  if (busy_.empty()) {
    return false;
  }
  const std::size_t drawn = draw_link();
  Link& link = links_[busy_[drawn]];
  ReceivedMessage message = std::move(link.under_way.front());
  link.under_way.pop_front();
  if (link.under_way.empty()) {
    busy_[drawn] = busy_.back();
    busy_.pop_back();
  }
  link.sender->on_left(message.num_bytes());
  link.receiver->on_arrived(std::move(message));
  return true;
}

void VirtualNetwork::lose(Rank rank) {
  lost_[rank] = 1;
  for (Link& link : links_) {
    const bool is_of_dead = link.sender->rank() == rank;
    std::size_t num_lost = link.receiver->rank() == rank ? link.under_way.size()
                           : is_of_dead                  ? random_() % (link.under_way.size() + 1)
                                                         : 0;
    for (; num_lost > 0; --num_lost) {
      link.sender->on_left(link.under_way.back().num_bytes());
      link.under_way.pop_back();
    }
  }
  std::erase_if(busy_, [this](std::size_t link) { return links_[link].under_way.empty(); });
}

bool VirtualNetwork::is_empty() const {
  return busy_.empty() && std::all_of(channels_.begin(), channels_.end(), [](const auto& channel) { return channel->is_polled(); });
}

}  // namespace frond::test
