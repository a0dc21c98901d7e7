// SPDX-License-Identifier: BSD-3-Clause
// The snapshot: a rank that wants to decide asks all others for their load, and decisions follow one another in rounds, each seeing
// everything reserved before. Replaces Guermouche and L'Excellent 2005, Algorithm 4, which with three processes can hang and can
// decide on stale views.
#pragma once

#include <algorithm>
#include <compare>
#include <vector>

#include "loadinfo/mechanisms/load_exchange.hpp"

namespace frond {

inline constexpr Count kNoRound = -1;

struct SnapshotState {
  Count round = 0;               ///< the open round: number of decisions known here
  Count first_round = 0;         ///< of this rank's own request: where it may be decided
  Rank answered = kNobody;       ///< the rank to which this rank has given up the open round
  std::vector<Count> requested;  ///< requested[j]: first round of rank j's open request, kNoRound if it has none
  std::vector<Count> given_up;   ///< given_up[j]: the round given up by rank j's last answer to the own request, or kNoRound
};

/// Requests are served by age, then by rank. After winning, a rank's next request waits behind all that were open: so each other
/// rank overtakes a waiting request at most once.
struct SnapshotRequest {
  Count first_round = kNoRound;
  Rank rank = kNobody;

  friend auto operator<=>(const SnapshotRequest&, const SnapshotRequest&) = default;
};

/// The rules for giving up rounds, on which safety and progress rest.
struct SnapshotRules {
  static bool is_better(const SnapshotRequest& a, const SnapshotRequest& b) { return a < b; }

  /// After giving up the open round, a rank can win the next one at the earliest.
  static Count first_round(const SnapshotState& state) { return state.round + (state.answered != kNobody ? 1 : 0); }

  /// A better request than the one already answered is answered, too.
  static bool preempts(const SnapshotRequest& best, const SnapshotRequest& answered) { return best < answered; }

  /// A candidate of the open round does not answer a worse request than its own.
  static bool holds_back(const SnapshotRequest& own, const SnapshotRequest& best) { return own < best; }

  /// Answers for later rounds are kept: they can arrive before the end of this one.
  static bool is_usable(Count given_up, Count round) { return given_up >= round; }
  static bool is_current(Count given_up, Count round) { return given_up == round; }

  static bool may_win_round(const SnapshotState& state) { return state.first_round <= state.round && state.answered == kNobody; }

  static void next_round(SnapshotState& state) {
    state.round += 1;
    state.answered = kNobody;
  }
};

/// A round is one decision; round r is open on a rank that knows of r decisions. An answer with ticket r gives up round r: its
/// sender does not decide in it. A decision in round r needs such an answer from all others, so each round has one decision, rounds
/// end everywhere in order, and a rank that decides in round r knows all r earlier decisions. An answer that gives up round r was
/// sent after the end messages of all earlier rounds had arrived, each after its reservation: so the view counts everything ever
/// reserved.
///
/// A decision costs P - 1 starts, answers and ends, one reservation per slave, and under contention answers wasted on requests that
/// a better one overtook: at most (P - 1)(P - 2) / 2 per round.
template <class Rules>
class BasicSnapshot : public LoadExchange {
 public:
  BasicSnapshot(Rank rank, Rank num_ranks, LoadSink& sink) : LoadExchange(rank, num_ranks, sink) {
    state_.requested.assign(static_cast<std::size_t>(num_ranks), kNoRound);
    state_.given_up.assign(static_cast<std::size_t>(num_ranks), kNoRound);
  }

  [[nodiscard]] const SnapshotState& state() const { return state_; }
  [[nodiscard]] bool is_blocked() const override {
    return is_deciding() ||
           std::any_of(state_.requested.begin(), state_.requested.end(), [](Count round) { return round != kNoRound; });
  }

 protected:
  void on_want_to_decide() override {
    state_.first_round = Rules::first_round(state_);
    send_to_others({.kind = LoadMessageKind::start, .ticket = state_.first_round});
  }

  [[nodiscard]] bool is_view_complete() const override {
    if (!Rules::may_win_round(state_)) {
      return false;
    }
    for (Rank other = 0; other < num_ranks(); ++other) {
      if (other != rank() && !Rules::is_current(state_.given_up[other], state_.round)) {
        return false;
      }
    }
    return true;
  }

  void on_decision(std::span<const Assignment> chosen) override {
    for (const Assignment& assignment : chosen) {
      send(assignment.rank, {.kind = LoadMessageKind::reservation, .load = assignment.load});
    }
    send_to_others({.kind = LoadMessageKind::end, .ticket = state_.round});  // after the reservations
    state_.given_up.assign(state_.given_up.size(), kNoRound);
    Rules::next_round(state_);
    serve();
  }

  void receive(Rank from, const LoadMessage& message) override {
    switch (message.kind) {
      case LoadMessageKind::start:
        on_start(from, message);
        break;
      case LoadMessageKind::answer:
        on_answer(from, message);
        break;
      case LoadMessageKind::reservation:
        view_of(rank()) += message.load;
        break;
      case LoadMessageKind::end:
        on_end(from, message);
        break;
      default:
        fail_on(from, message, "no message of the snapshot");
    }
  }

 private:
  void on_start(Rank from, const LoadMessage& message) {
    if (state_.requested[from] != kNoRound) {
      fail_on(from, message, "its last request is still open");
    }
    state_.requested[from] = message.ticket;
    serve();
  }

  void on_answer(Rank from, const LoadMessage& message) {
    if (is_deciding() && Rules::is_usable(message.ticket, state_.round)) {
      state_.given_up[from] = message.ticket;
      view_of(from) = message.load;
    }
  }

  void on_end(Rank from, const LoadMessage& message) {
    if (message.ticket != state_.round || state_.requested[from] == kNoRound) {
      fail_on(from, message, "it ends a round that is not open here");
    }
    state_.requested[from] = kNoRound;
    Rules::next_round(state_);
    serve();
  }

  // Gives up the open round to the best request that may win it, unless this rank's own is better.
  void serve() {
    const SnapshotRequest best = best_request();
    if (best.rank == kNobody) {
      return;
    }
    if (state_.answered != kNobody) {
      if (!Rules::preempts(best, {state_.requested[state_.answered], state_.answered})) {
        return;
      }
    } else if (is_deciding() && state_.first_round <= state_.round && Rules::holds_back({state_.first_round, rank()}, best)) {
      return;
    }
    state_.answered = best.rank;
    send(best.rank, {.kind = LoadMessageKind::answer, .ticket = state_.round, .load = load()});
  }

  // Returns the best of the other ranks' requests that may be decided in the open round; of rank kNobody if there is none.
  [[nodiscard]] SnapshotRequest best_request() const {
    SnapshotRequest best;
    for (Rank other = 0; other < num_ranks(); ++other) {
      const SnapshotRequest request{state_.requested[other], other};
      if (request.first_round != kNoRound && request.first_round <= state_.round &&
          (best.rank == kNobody || Rules::is_better(request, best))) {
        best = request;
      }
    }
    return best;
  }

  SnapshotState state_;
};

using SnapshotExchange = BasicSnapshot<SnapshotRules>;

}  // namespace frond
