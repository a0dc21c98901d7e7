// SPDX-License-Identifier: BSD-3-Clause
// Implements flows with a courier each, and events with a clock.
#include "tools/simulation/simulated_network.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace frond {

namespace sg = simgrid::s4u;

Delays delays_of(const std::map<Rank, double>& delays, std::span<const Rank> members) {
  std::vector<double> own;
  if (!delays.empty()) {
    std::transform(members.begin(), members.end(), std::back_inserter(own), [&delays](Rank member) {
      const auto delay = delays.find(member);
      return delay == delays.end() ? 0 : delay->second;
    });
  }
  return Delays(std::move(own));
}

std::optional<ReceivedMessage> SimulatedChannel::poll() {
  if (arrived_.empty()) {
    return std::nullopt;
  }
  std::optional<ReceivedMessage> message(std::move(arrived_.front()));
  arrived_.pop_front();
  return message;
}

SimulatedNetwork::SimulatedNetwork(std::vector<sg::Host*> hosts, Delays delays, EventClock& clock,
                                   std::function<void(Rank)> on_arrival)
    : hosts_(std::move(hosts)), delays_(std::move(delays)), clock_(clock), on_arrival_(std::move(on_arrival)) {
  const auto num_ranks = static_cast<Rank>(hosts_.size());
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    channels_.push_back(std::make_unique<SimulatedChannel>(
        rank, num_ranks, [this](Rank from, Rank to, const MessageBody& body) { send(from, to, body); }));
  }
}

void FlowNetwork::send(Rank from, Rank to, const MessageBody& body) {
  Sender& sender = senders_[from];
  sender.waiting.push_back({to, pairs_[{from, to}].num_sent++, ReceivedMessage(from, body)});
  if (sender.num_flows < most_flows_) {
    ++sender.num_flows;
    sg::Actor::create("courier", hosts_[from], [this, from] { carry(from); });
  }
}

// Runs a courier: it sends one message after the other while any wait.
void FlowNetwork::carry(Rank from) {
  Sender& sender = senders_[from];
  while (!sender.waiting.empty()) {
    Parcel parcel = std::move(sender.waiting.front());
    sender.waiting.pop_front();
    sg::Comm::sendto(hosts_[from], hosts_[parcel.to], static_cast<std::uint64_t>(parcel.message.num_bytes()));
    if (const double delay = delays_.between(from, parcel.to); delay > 0) {
      clock_.call_at(sg::Engine::get_clock() + delay,
                     [this, from, delayed = std::make_shared<Parcel>(std::move(parcel))] { arrive(from, std::move(*delayed)); });
    } else {
      arrive(from, std::move(parcel));
    }
  }
  --sender.num_flows;
}

void FlowNetwork::arrive(Rank from, Parcel parcel) {
  Pair& pair = pairs_.at({from, parcel.to});
  pair.early.emplace(parcel.number, std::move(parcel.message));
  bool has_come = false;
  for (auto next = pair.early.begin(); next != pair.early.end() && next->first == pair.num_arrived; next = pair.early.erase(next)) {
    channels_[parcel.to]->on_arrived(std::move(next->second));
    ++pair.num_arrived;
    has_come = true;
  }
  if (has_come) {
    on_arrival_(parcel.to);
  }
}

void EventNetwork::send(Rank from, Rank to, const MessageBody& body) {
  double& free_at = free_at_[from];
  const Routes::Way& way = routes_.way(from, to);
  free_at = std::max(free_at, sg::Engine::get_clock()) + static_cast<double>(body.num_bytes()) * way.seconds_per_byte;
  const double arrival = free_at + way.latency_seconds + delays_.between(from, to);
  clock_.call_at(arrival, [this, to, message = std::make_shared<ReceivedMessage>(from, body)] {
    channels_[to]->on_arrived(std::move(*message));
    on_arrival_(to);
  });
}

}  // namespace frond
