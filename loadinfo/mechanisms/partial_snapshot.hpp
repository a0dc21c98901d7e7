// SPDX-License-Identifier: BSD-3-Clause
// The partial snapshot: only the candidates of a decision take part in it. Each is held by one request at a time and can be handed
// over to a better one.
#pragma once

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

#include "loadinfo/mechanisms/load_exchange.hpp"

namespace frond {

/// Requests are served in the order of Lamport clocks, then of ranks. The ticket, its sender's clock, also identifies the request
/// on that rank.
struct PartialRequest {
  Count ticket = 0;
  Rank rank = kNobody;

  friend auto operator<=>(const PartialRequest&, const PartialRequest&) = default;
};

/// The state of this rank's own request with respect to another rank.
enum class Grant : unsigned char { none, awaited, given };

struct PartialSnapshotState {
  Count clock = 0;                      ///< the latest ticket or clock that this rank knows of
  PartialRequest own;                   ///< the last request of this rank, open while it is deciding
  std::vector<Grant> grants;            ///< grants[j]: rank j's, to the own request; if given, the view holds its load
  PartialRequest holder;                ///< the request that holds this rank; of kNobody if there is none
  bool is_revoked = false;              ///< the holder was asked to yield
  std::vector<PartialRequest> waiting;  ///< requests that want to hold this rank
};

/// The rules for holding candidates, on which safety and progress rest.
struct PartialSnapshotRules {
  static bool is_better(const PartialRequest& a, const PartialRequest& b) { return a < b; }

  /// Later than all requests known here: a rank that has just been served waits behind those.
  static Count next_ticket(const PartialSnapshotState& state) { return state.clock + 1; }

  /// A holder that was asked once need not be asked again.
  static bool must_revoke(bool is_better_than_holder, const PartialSnapshotState& state) {
    return is_better_than_holder && !state.is_revoked;
  }

  /// A revocation that crosses the end of its request is ignored, and does not apply to this rank's next request.
  static bool concerns(Count ticket, const PartialSnapshotState& state, bool is_deciding) {
    return is_deciding && ticket == state.own.ticket;
  }

  static void give_back(PartialSnapshotState& state, Rank candidate) { state.grants[candidate] = Grant::awaited; }

  /// A request that yields still has to be served.
  static void wait_again(PartialSnapshotState& state) { state.waiting.push_back(state.holder); }
};

/// A decision holds all its candidates, so that no other rank can choose among them; each was granted after the end message of its
/// previous holder, which followed that holder's reservation. So decisions that share candidates follow one another, and each sees
/// all earlier reservations on its own candidates. The best open request holds each of its candidates or revokes it from a worse
/// request, which decides or yields: so it is served. Decisions without common candidates exchange no messages.
///
/// A decision costs 3 |C| messages and one reservation per slave; each start may cause one revocation, of 3 messages. Messages of a
/// rank to itself, as its own candidate, go through a queue like all others.
template <class Rules>
class BasicPartialSnapshot : public LoadExchange {
 public:
  BasicPartialSnapshot(Rank rank, Rank num_ranks, LoadSink& sink) : LoadExchange(rank, num_ranks, sink) {
    state_.grants.assign(static_cast<std::size_t>(num_ranks), Grant::none);
  }

  [[nodiscard]] const PartialSnapshotState& state() const { return state_; }
  [[nodiscard]] bool is_blocked() const override { return is_deciding() || state_.holder.rank != kNobody; }

 protected:
  void on_want_to_decide() override {
    state_.own = {Rules::next_ticket(state_), rank()};
    state_.clock = std::max(state_.clock, state_.own.ticket);
    for (const Rank candidate : candidates()) {
      state_.grants[candidate] = Grant::awaited;
      post(candidate, {.kind = LoadMessageKind::start, .ticket = state_.own.ticket});
    }
    handle_own_messages();
  }

  [[nodiscard]] bool is_view_complete() const override {
    return std::all_of(candidates().begin(), candidates().end(),
                       [&](Rank candidate) { return state_.grants[candidate] == Grant::given; });
  }

  void on_decision(std::span<const Assignment> chosen) override {
    for (const Assignment& assignment : chosen) {
      send(assignment.rank, {.kind = LoadMessageKind::reservation, .load = assignment.load});
    }
    for (const Rank candidate : candidates()) {
      state_.grants[candidate] = Grant::none;
      post(candidate, {.kind = LoadMessageKind::end, .ticket = state_.own.ticket});  // after the reservations
    }
    handle_own_messages();
  }

  void receive(Rank from, const LoadMessage& message) override {
    handle(from, message);
    handle_own_messages();
  }

 private:
  void post(Rank to, const LoadMessage& message) {
    if (to == rank()) {
      to_itself_.push_back(message);
    } else {
      send(to, message);
    }
  }

  void handle_own_messages() {
    while (!to_itself_.empty()) {
      for (const LoadMessage& message : std::exchange(to_itself_, {})) {
        handle(rank(), message);
      }
    }
  }

  void handle(Rank from, const LoadMessage& message) {
    switch (message.kind) {
      case LoadMessageKind::start:
        on_start({message.ticket, from});
        break;
      case LoadMessageKind::answer:
        on_answer(from, message);
        break;
      case LoadMessageKind::revoke:
        on_revoke(from, message);
        break;
      case LoadMessageKind::reservation:
        view_of(rank()) += message.load;
        break;
      case LoadMessageKind::end:
        release(from, message);
        break;
      case LoadMessageKind::yield:
        Rules::wait_again(state_);
        release(from, message);
        break;
      default:
        fail_on(from, message, "no message of the partial snapshot");
    }
  }

  // Messages to the initiator of a request.

  void on_answer(Rank from, const LoadMessage& message) {
    if (state_.grants[from] != Grant::awaited) {
      fail_on(from, message, "this rank awaits no answer from it");
    }
    state_.clock = std::max(state_.clock, message.ticket);
    state_.grants[from] = Grant::given;
    view_of(from) = message.load;
  }

  void on_revoke(Rank from, const LoadMessage& message) {
    if (Rules::concerns(message.ticket, state_, is_deciding())) {
      Rules::give_back(state_, from);
      post(from, {.kind = LoadMessageKind::yield, .ticket = message.ticket});
    }
  }

  // Messages to a candidate of requests.

  void on_start(const PartialRequest& request) {
    state_.clock = std::max(state_.clock, request.ticket);
    state_.waiting.push_back(request);
    if (state_.holder.rank == kNobody) {
      grant();
    } else if (Rules::must_revoke(Rules::is_better(request, state_.holder), state_)) {
      state_.is_revoked = true;
      post(state_.holder.rank, {.kind = LoadMessageKind::revoke, .ticket = state_.holder.ticket});
    }
  }

  void release(Rank from, const LoadMessage& message) {
    if (state_.holder != PartialRequest{message.ticket, from}) {
      fail_on(from, message, "that request does not hold this rank");
    }
    state_.holder = {};
    grant();
  }

  // Answers the best waiting request, if there is one.
  void grant() {
    const auto best = std::min_element(state_.waiting.begin(), state_.waiting.end(), Rules::is_better);
    if (best == state_.waiting.end()) {
      return;
    }
    state_.holder = *best;
    state_.waiting.erase(best);
    state_.is_revoked = false;
    post(state_.holder.rank, {.kind = LoadMessageKind::answer, .ticket = state_.clock, .load = load()});
  }

  PartialSnapshotState state_;
  std::vector<LoadMessage> to_itself_;  // in the order sent; empty between calls
};

using PartialSnapshotExchange = BasicPartialSnapshot<PartialSnapshotRules>;

}  // namespace frond
