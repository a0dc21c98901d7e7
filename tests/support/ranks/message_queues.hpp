// SPDX-License-Identifier: BSD-3-Clause
// Models the network of the explored models: ordered messages under way between each pair of ranks, and the sink that collects what
// a machine sends while it is driven.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "loadinfo/mechanisms/load_exchange.hpp"
#include "tests/support/ranks/explorer.hpp"

namespace frond::test {

inline void add(StateHash& hash, const Load& load) {
  hash.add(std::bit_cast<std::uint64_t>(load.flops));
  hash.add(load.bytes);
}

inline void add(StateHash& hash, const LoadMessage& message) {
  hash.add(static_cast<int>(message.kind));
  hash.add(message.ticket);
  add(hash, message.load);
  hash.add(message.assignments.size());
  for (const auto& [rank, load] : message.assignments) {
    hash.add(rank);
    add(hash, load);
  }
}

inline LoadMessage update(const Load& load) { return {.kind = LoadMessageKind::update, .load = load}; }

/// Keeps messages until they are taken. One sink serves all copies of a machine.
class CatchingSink final : public LoadSink {
 public:
  using Sent = std::vector<std::pair<Rank, LoadMessage>>;  // receiver and message, in the order sent

  void send(Rank to, const LoadMessage& message) override { sent_.emplace_back(to, message); }
  [[nodiscard]] Sent take() { return std::exchange(sent_, {}); }

 private:
  Sent sent_;
};

/// The messages under way from each rank to each other.
template <class Message>
class MessageQueues {
 public:
  explicit MessageQueues(Rank num_ranks) : num_ranks_(num_ranks), queues_(static_cast<std::size_t>(num_ranks * num_ranks)) {}

  [[nodiscard]] const std::vector<Message>& between(Rank from, Rank to) const { return queues_[from * num_ranks_ + to]; }
  void push(Rank from, Rank to, Message message) { queues_[from * num_ranks_ + to].push_back(std::move(message)); }
  [[nodiscard]] Message pop(Rank from, Rank to) {
    std::vector<Message>& queue = queues_[from * num_ranks_ + to];
    Message first = std::move(queue.front());
    queue.erase(queue.begin());
    return first;
  }

  /// Calls visit(from, to) for each pair with messages under way.
  template <class Visit>
  void for_each_pair(Visit visit) const {
    for (Rank from = 0; from < num_ranks_; ++from) {
      for (Rank to = 0; to < num_ranks_; ++to) {
        if (!between(from, to).empty()) {
          visit(from, to);
        }
      }
    }
  }

  /// Adds all messages under way to the hash; add_message(message) adds one of them.
  template <class AddMessage>
  void add_to(StateHash& hash, AddMessage add_message) const {
    for (const std::vector<Message>& queue : queues_) {
      hash.add(queue.size());
      for (const Message& message : queue) {
        add_message(message);
      }
    }
  }

 private:
  Rank num_ranks_;
  std::vector<std::vector<Message>> queues_;  // from rank i to rank j: queues_[i * num_ranks_ + j]
};

}  // namespace frond::test
