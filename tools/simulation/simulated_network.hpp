// SPDX-License-Identifier: BSD-3-Clause
// Channels between simulated ranks.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <simgrid/s4u.hpp>
#include <span>
#include <utility>
#include <vector>

#include "loadinfo/messages/channel.hpp"
#include "tools/simulation/event_clock.hpp"
#include "tools/simulation/simulated_platform.hpp"

namespace frond {

/// Seconds by which messages take longer than their routes do. If both ranks have a delay the longer one counts, as between
/// processes of one node with a bad connection; messages of a rank to itself are not delayed.
class Delays {
 public:
  /// [rank]; empty: no delays.
  explicit Delays(std::vector<double> of_ranks) : of_ranks_(std::move(of_ranks)) {}

  [[nodiscard]] double between(Rank from, Rank to) const {
    return from == to || of_ranks_.empty() ? 0 : std::max(of_ranks_[from], of_ranks_[to]);
  }

 private:
  std::vector<double> of_ranks_;
};

/// `delays` is keyed by original rank numbers; members[k] is the original number of rank k.
[[nodiscard]] Delays delays_of(const std::map<Rank, double>& delays, std::span<const Rank> members);

/// One rank's end of a network: arrived messages wait for poll(). No buffer is ever full.
class SimulatedChannel final : public Channel {
 public:
  using Send = std::function<void(Rank from, Rank to, const MessageBody& body)>;

  SimulatedChannel(Rank rank, Rank num_ranks, Send send) : rank_(rank), num_ranks_(num_ranks), send_(std::move(send)) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank num_ranks() const override { return num_ranks_; }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override {
    send_(rank_, to, body);
    return true;
  }
  [[nodiscard]] bool take_room_event() override { return false; }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override;
  void on_arrived(ReceivedMessage message) { arrived_.push_back(std::move(message)); }

 private:
  Rank rank_;
  Rank num_ranks_;
  Send send_;
  std::deque<ReceivedMessage> arrived_;
};

/// When a message has arrived and poll() finds it, `on_arrival(rank)` is called.
class SimulatedNetwork {
 public:
  /// The clock must outlive the network.
  SimulatedNetwork(std::vector<simgrid::s4u::Host*> hosts, Delays delays, EventClock& clock, std::function<void(Rank)> on_arrival);
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;
  virtual ~SimulatedNetwork() = default;

  [[nodiscard]] Channel& channel(Rank rank) const { return *channels_[rank]; }

 protected:
  virtual void send(Rank from, Rank to, const MessageBody& body) = 0;

  std::vector<simgrid::s4u::Host*> hosts_;
  Delays delays_;
  EventClock& clock_;
  std::function<void(Rank)> on_arrival_;
  std::vector<std::unique_ptr<SimulatedChannel>> channels_;
};

/// Messages as SimGrid flows that share the links, a limited number per rank at a time; per pair of ranks they arrive in the order
/// in which they were sent.
class FlowNetwork final : public SimulatedNetwork {
 public:
  /// Each rank has at most `most_flows` flows at a time: further messages wait, as in the buffers of a network adapter; delayed
  /// messages do not keep others waiting.
  FlowNetwork(const std::vector<simgrid::s4u::Host*>& hosts, int most_flows, Delays delays, EventClock& clock,
              std::function<void(Rank)> on_arrival)
      : SimulatedNetwork(hosts, std::move(delays), clock, std::move(on_arrival)), most_flows_(most_flows), senders_(hosts.size()) {}

 private:
  /// Messages from one rank to another: those that overtake earlier ones wait.
  struct Pair {
    Count num_sent = 0;
    Count num_arrived = 0;
    std::map<Count, ReceivedMessage> early;  // [number]
  };

  struct Parcel {
    Rank to;
    Count number;  // of the pair's
    ReceivedMessage message;
  };
  struct Sender {
    std::deque<Parcel> waiting;
    int num_flows = 0;
  };

  void send(Rank from, Rank to, const MessageBody& body) override;
  void carry(Rank from);
  void arrive(Rank from, Parcel parcel);

  int most_flows_;
  std::vector<Sender> senders_;  // [rank]
  std::map<std::pair<Rank, Rank>, Pair> pairs_;
};

/// Messages as events: each takes its route's latency and its time on its sender's link, independent of other traffic. For messages
/// too many to simulate as flows.
class EventNetwork final : public SimulatedNetwork {
 public:
  EventNetwork(const std::vector<simgrid::s4u::Host*>& hosts, Delays delays, EventClock& clock,
               std::function<void(Rank)> on_arrival)
      : SimulatedNetwork(hosts, std::move(delays), clock, std::move(on_arrival)), routes_(hosts), free_at_(hosts.size(), 0) {}

 private:
  void send(Rank from, Rank to, const MessageBody& body) override;

  Routes routes_;
  std::vector<double> free_at_;  // [rank] = when its current send ends
};

}  // namespace frond
