// SPDX-License-Identifier: BSD-3-Clause
// Runs any mechanism for long over the virtual network, driven from a seed as an engine would drive it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "loadinfo/channel_sink.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "tests/support/ranks/explorer.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {

struct RandomRunSetup {
  LoadExchangeOptions options;
  Rank num_ranks = 1;
  int decisions_per_rank = 1;
  bool one_master = false;  ///< only rank 0 decides
  Count buffer_bytes = 64;  ///< of each rank on each channel
  std::uint32_t seed = 0;
  std::function<std::unique_ptr<LoadExchange>(const LoadExchangeOptions&, Rank, Rank, LoadSink&)> make = make_load_exchange;
};

struct RandomRun {
  std::string failure;       ///< empty if every check held
  LoadMessageCounts counts;  ///< of all ranks
  Count num_decisions = 0;
  Count num_candidates = 0;  ///< of all decisions together
  Count num_slaves = 0;      ///< of all decisions together
  Count num_refused = 0;     ///< messages that found a buffer full
  Count most_overtaken = 0;  ///< decisions taken by others between a request and its decision, at most
  Count num_negative = 0;    ///< times that a rank's own load was negative
};

/// Drives load exchanges in random order.
class RandomDriver {
 public:
  explicit RandomDriver(const RandomRunSetup& setup)
      : setup_(setup), random_(setup.seed), network_(setup.num_ranks, 2, setup.buffer_bytes, setup.seed + 1) {
    for (Rank rank = 0; rank < setup.num_ranks; ++rank) {
      ranks_.emplace_back(network_, setup, rank);
    }
  }

  RandomRun run() {
    try {
      for (int idle = 0; !is_finished(); ++idle) {
        if (act(static_cast<Rank>(draw(setup_.num_ranks)))) {
          idle = 0;
        }
        if (idle > 1000 * setup_.num_ranks) {
          throw Violation("L: nothing happens any more");
        }
      }
      check_at_rest();
    } catch (const std::exception& error) {
      result_.failure = error.what();
    }
    for (const VirtualRank& rank : ranks_) {
      result_.counts += rank.sink->counts();
    }
    result_.num_refused = network_.num_refused();
    return result_;
  }

 private:
  static constexpr int kLoadChannel = 0;
  static constexpr int kMainChannel = 1;

  struct Task {
    Load reserved;
    Load cost;
  };

  struct VirtualRank {
    VirtualRank(VirtualNetwork& network, const RandomRunSetup& setup, Rank rank)
        : sink(std::make_unique<ChannelSink>(network.channel(kLoadChannel, rank))),
          exchange(setup.make(setup.options, rank, setup.num_ranks, *sink)),
          decisions_left(setup.one_master && rank > 0 ? 0 : setup.decisions_per_rank),
          local_tasks_left(setup.decisions_per_rank) {}

    std::unique_ptr<ChannelSink> sink;
    std::unique_ptr<LoadExchange> exchange;
    int decisions_left;
    int local_tasks_left;
    bool has_given_up = false;
    Count asked_at = 0;                            // number of decisions taken by then
    std::deque<std::pair<Rank, Task>> to_be_sent;  // tasks for slaves that the main channel has not accepted yet
    std::vector<Load> running;                     // costs of running tasks
    Count reserved_bytes = 0;                      // on this rank, by all decisions so far
  };

  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }

  // Takes one step of rank `r`, drawn from all that are possible; false if there is none.
  bool act(Rank r) {
    VirtualRank& rank = ranks_[r];
    switch (draw(7)) {
      case 0:
        return network_.deliver();
      case 1:
        return serve(r);
      case 2:
        return receive_task(r) || send_task(r);
      case 3:
        return end_task(rank);
      case 4:
        return begin_local_task(rank);
      case 5:
        return ask(r) || give_up(r);
      default:
        return decide(r);
    }
  }

  bool serve(Rank r) {
    Channel& channel = network_.channel(kLoadChannel, r);
    const bool has_room = channel.take_room_event();
    if (has_room) {
      ranks_[r].sink->on_room();
    }
    const int num_served = serve_load_messages(channel, *ranks_[r].exchange, 1 + draw(3));
    result_.num_negative += ranks_[r].exchange->load().flops < 0 ? 1 : 0;
    return num_served > 0 || has_room;
  }

  bool receive_task(Rank r) {
    const auto message = network_.channel(kMainChannel, r).poll();
    if (!message) {
      return false;
    }
    Task task;
    std::memcpy(&task, message->bytes().data(), sizeof(Task));
    ranks_[r].running.push_back(task.cost);
    ranks_[r].exchange->task_arrived(task.cost, task.reserved);
    return true;
  }

  bool send_task(Rank r) {
    VirtualRank& rank = ranks_[r];
    if (rank.to_be_sent.empty()) {
      return false;
    }
    const auto& [slave, task] = rank.to_be_sent.front();
    if (!network_.channel(kMainChannel, r).send(slave, std::as_bytes(std::span(&task, 1)))) {
      return false;
    }
    rank.to_be_sent.pop_front();
    return true;
  }

  static bool end_task(VirtualRank& rank) {
    if (rank.running.empty()) {
      return false;
    }
    rank.exchange->vary({-rank.running.back().flops, 0});
    rank.running.pop_back();
    return true;
  }

  bool begin_local_task(VirtualRank& rank) {
    if (rank.local_tasks_left == 0 || rank.exchange->is_blocked()) {
      return false;
    }
    --rank.local_tasks_left;
    rank.running.push_back({1.0 + draw(100), 0});
    rank.exchange->vary(rank.running.back());
    return true;
  }

  bool ask(Rank r) {
    VirtualRank& rank = ranks_[r];
    if (rank.decisions_left == 0 || rank.exchange->is_deciding() || rank.exchange->is_blocked()) {
      return false;
    }
    --rank.decisions_left;
    rank.asked_at = result_.num_decisions;
    rank.exchange->want_to_decide(draw_candidates(r));
    return true;
  }

  // Only the partial snapshot profits from drawing fewer candidates than ranks.
  std::vector<Rank> draw_candidates(Rank r) {
    std::vector<Rank> candidates;
    for (Rank other = 0; other < setup_.num_ranks; ++other) {
      const bool is_drawn = setup_.options.mechanism != LoadMechanism::partial_snapshot || draw(3) == 0;
      if (is_drawn && (other != r || setup_.options.mechanism == LoadMechanism::partial_snapshot)) {
        candidates.push_back(other);
      }
    }
    return candidates;
  }

  // Half of the ranks announce that they have no decision left.
  bool give_up(Rank r) {
    VirtualRank& rank = ranks_[r];
    if (r % 2 == 0 || rank.decisions_left > 0 || rank.exchange->is_deciding() || rank.has_given_up) {
      return false;
    }
    rank.has_given_up = true;
    rank.exchange->no_more_master();
    return true;
  }

  bool decide(Rank r) {
    VirtualRank& rank = ranks_[r];
    if (!rank.exchange->may_decide()) {
      return false;
    }
    check_view(*rank.exchange);
    std::vector<Assignment> chosen;
    for (const Rank candidate : rank.exchange->candidates()) {
      if (candidate != r && draw(4) != 0) {
        chosen.push_back({candidate, {1.0 + draw(100), 1 + draw(100)}});
      }
    }
    for (const auto& [slave, reserved] : chosen) {
      ranks_[slave].reserved_bytes += reserved.bytes;
      rank.to_be_sent.push_back({slave, {reserved, reserved + Load{std::max(1.0 - reserved.flops, draw(21) - 10.0), 0}}});
    }
    result_.num_slaves += static_cast<Count>(chosen.size());
    result_.num_candidates += static_cast<Count>(rank.exchange->candidates().size());
    result_.most_overtaken = std::max(result_.most_overtaken, result_.num_decisions - rank.asked_at);
    ++result_.num_decisions;
    rank.exchange->decide(chosen);
    return true;
  }

  [[nodiscard]] bool is_exact() const {
    return setup_.options.mechanism == LoadMechanism::snapshot || setup_.options.mechanism == LoadMechanism::partial_snapshot;
  }

  void check_view(const LoadExchange& exchange) const {
    for (const Rank candidate : exchange.candidates()) {
      if (is_exact() && exchange.view()[candidate].bytes != ranks_[candidate].reserved_bytes) {
        throw Violation("E1: rank " + std::to_string(exchange.rank()) + " decides on a stale view");
      }
    }
  }

  [[nodiscard]] bool is_finished() const {
    return network_.is_empty() && std::all_of(ranks_.begin(), ranks_.end(), [](const VirtualRank& rank) {
             return rank.decisions_left == 0 && rank.local_tasks_left == 0 && rank.running.empty() && rank.to_be_sent.empty() &&
                    !rank.exchange->is_deciding() && !rank.sink->is_waiting();
           });
  }

  void check_at_rest() const {
    for (const VirtualRank& rank : ranks_) {
      if (rank.exchange->is_blocked()) {
        throw Violation("Q: a rank is blocked at rest");
      }
      if (rank.exchange->load() != Load{0, rank.reserved_bytes}) {
        throw Violation("T: the own load of rank " + std::to_string(rank.exchange->rank()) + " at rest");
      }
      for (Rank other = 0; other < setup_.num_ranks && !is_exact() && !rank.has_given_up; ++other) {
        if (exceeds(rank.exchange->view()[other] - ranks_[other].exchange->load(), setup_.options.threshold)) {
          throw Violation("A: a view is too far from the truth at rest");
        }
      }
    }
  }

  const RandomRunSetup& setup_;
  std::mt19937 random_;
  VirtualNetwork network_;
  std::vector<VirtualRank> ranks_;
  RandomRun result_;
};

/// Runs until all decisions are taken, all tasks have ended and nothing is under way. Checks, where the mechanism promises it, that
/// decisions see all reservations before them, that loads are right at rest and views within the threshold, and that no rank waits
/// forever.
///
/// Bytes of loads change by reservations only, so that at any time an exact view shows the sum of all reservations on a rank; flops
/// come and go with tasks, whose costs differ from what was reserved.
[[nodiscard]] inline RandomRun run_randomly(const RandomRunSetup& setup) { return RandomDriver(setup).run(); }

}  // namespace frond::test
