// SPDX-License-Identifier: BSD-3-Clause
// Models the snapshot mechanisms for exploration: ranks take a few decisions each, in every order of steps and arrivals.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/ranks/machine_hash.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {

/// plan[i][d] = the candidates of rank i's decision number d.
using DecisionPlan = std::vector<std::vector<std::vector<Rank>>>;

struct DecisionSetup {
  DecisionPlan plan;
  bool decides_at_once = true;         ///< as soon as it may; otherwise deciding is a step of its own
  bool asks_when_blocked = true;       ///< the engine does not, but the protocols allow it
  bool ends_before_reserving = false;  ///< a fault: a decision sends its reservations after its end
};

/// Rank i takes `num_decisions[i]` decisions with all other ranks as candidates.
[[nodiscard]] inline DecisionPlan all_others(const std::vector<int>& num_decisions) {
  const Rank num_ranks = static_cast<Rank>(num_decisions.size());
  DecisionPlan plan(num_decisions.size());
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    std::vector<Rank> others;
    for (Rank other = 0; other < num_ranks; ++other) {
      if (other != rank) {
        others.push_back(other);
      }
    }
    plan[rank].assign(static_cast<std::size_t>(num_decisions[rank]), others);
  }
  return plan;
}

inline constexpr Load kReserved{1, 8};  // on each slave by each decision

/// Properties, by the prefixes of violations:
///   L   every request ends in a decision
///   E1  a decision sees, on its candidates, everything reserved before it
///   R   the end of a decision finds its reservation counted
///   Q   at rest loads are right and no request is left over
///   I1  a rank that gave up a round does not decide in it (snapshot)
///   I3  a decision sees all decisions before it (snapshot)
///   H   a decision holds all its candidates (partial snapshot)
/// I2, one decision per round and rounds that end in order, and I4, one open request per rank, are checked by the machines
/// themselves.
template <class Machine>
class DecisionModel {
 public:
  struct Step {
    enum class Kind { ask, decide, deliver } kind;
    Rank from;  // the rank that asks, decides, or has sent
    Rank to;
  };

  explicit DecisionModel(DecisionSetup setup)
      : shared_(std::make_shared<Shared>(Shared{std::move(setup), {}})),
        queues_(num_ranks()),
        num_asked_(shared_->setup.plan.size()),
        reserved_(shared_->setup.plan.size()),
        gave_up_(shared_->setup.plan.size(), kNoRound) {
    for (Rank rank = 0; rank < num_ranks(); ++rank) {
      machines_.emplace_back(rank, num_ranks(), shared_->sink);
    }
  }

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> steps;
    for (const Machine& machine : machines_) {
      const Rank rank = machine.rank();
      if (will_ask(rank) && !machine.is_deciding() && (shared_->setup.asks_when_blocked || !machine.is_blocked())) {
        steps.push_back({Step::Kind::ask, rank, rank});
      }
      if (machine.may_decide()) {
        steps.push_back({Step::Kind::decide, rank, rank});
      }
    }
    queues_.for_each_pair([&](Rank from, Rank to) { steps.push_back({Step::Kind::deliver, from, to}); });
    return steps;
  }

  void apply(const Step& step) {
    Machine& machine = machines_[step.to];
    switch (step.kind) {
      case Step::Kind::ask:
        machine.want_to_decide(shared_->setup.plan[step.from][num_asked_[step.from]++]);
        break;
      case Step::Kind::decide:
        decide(machine);
        break;
      case Step::Kind::deliver:
        deliver(step.from, machine);
        break;
    }
    post(step.to);
    if (shared_->setup.decides_at_once && machine.may_decide()) {
      decide(machine);
      post(step.to);
    }
  }

  void check_at_rest() const {
    for (const Machine& machine : machines_) {
      const Rank rank = machine.rank();
      if (machine.is_deciding() || will_ask(rank)) {
        throw Violation("L: rank " + std::to_string(rank) + " waits for ever");
      }
      if (machine.is_blocked() || machine.load() != reserved_[rank]) {
        throw Violation("Q: rank " + std::to_string(rank) + " is not as it should be at rest");
      }
      check_rest(machine);
    }
  }

  [[nodiscard]] std::uint64_t hash() const {
    StateHash hash;
    const bool asks_again = does_anybody_ask_again();
    for (const Machine& machine : machines_) {
      add_machine(hash, machine, asks_again);
      hash.add(num_asked_[machine.rank()]);
      add(hash, reserved_[machine.rank()]);
    }
    queues_.add_to(hash, [&](const LoadMessage& message) { add(hash, in_canonical_form(machines_[0], message, asks_again)); });
    return hash.value();
  }

  [[nodiscard]] friend std::string to_string(const Step& step) {
    const std::string who = std::to_string(step.from);
    switch (step.kind) {
      case Step::Kind::ask:
        return who + " asks";
      case Step::Kind::decide:
        return who + " decides";
      case Step::Kind::deliver:
        return who + " > " + std::to_string(step.to);
    }
    return {};
  }

 private:
  struct Shared {
    DecisionSetup setup;
    CatchingSink sink;
  };

  [[nodiscard]] Rank num_ranks() const { return static_cast<Rank>(shared_->setup.plan.size()); }

  [[nodiscard]] bool will_ask(Rank rank) const { return num_asked_[rank] < static_cast<int>(shared_->setup.plan[rank].size()); }
  [[nodiscard]] bool does_anybody_ask_again() const {
    return std::any_of(machines_.begin(), machines_.end(), [&](const Machine& machine) { return will_ask(machine.rank()); });
  }

  // An answer of the partial snapshot carries a clock.
  template <class Rules>
  [[nodiscard]] static LoadMessage in_canonical_form(const BasicPartialSnapshot<Rules>& /*machine*/, LoadMessage message,
                                                     bool asks_again) {
    if (message.kind == LoadMessageKind::answer && (!asks_again || WithoutClocks<Rules>)) {
      message.ticket = 0;
    }
    return message;
  }
  template <class Rules>
  [[nodiscard]] static const LoadMessage& in_canonical_form(const BasicSnapshot<Rules>& /*machine*/, const LoadMessage& message,
                                                            bool /*asks_again*/) {
    return message;
  }

  void deliver(Rank from, Machine& machine) {
    const LoadMessage message = queues_.pop(from, machine.rank());
    machine.on_message(from, message);
    if (message.kind == LoadMessageKind::end) {
      // Every decision reserves on everybody it ends at, so ends and reservations still under way come in pairs.
      const std::vector<LoadMessage>& left = queues_.between(from, machine.rank());
      const auto count = [&](LoadMessageKind kind) {
        return std::count_if(left.begin(), left.end(), [&](const LoadMessage& other) { return other.kind == kind; });
      };
      if (count(LoadMessageKind::end) != count(LoadMessageKind::reservation)) {
        throw Violation("R: an end has overtaken its reservation");
      }
    }
  }

  void decide(Machine& machine) {
    std::vector<Assignment> chosen;
    for (const Rank candidate : machine.candidates()) {
      if (machine.view()[candidate] != reserved_[candidate]) {
        throw Violation("E1: rank " + std::to_string(machine.rank()) + " decides on a stale view of " + std::to_string(candidate));
      }
      if (candidate != machine.rank()) {
        chosen.push_back({candidate, kReserved});
      }
    }
    check_decision(machine);
    for (const Assignment& assignment : chosen) {
      reserved_[assignment.rank] += assignment.load;
    }
    ++num_decisions_;
    machine.decide(chosen);
  }

  template <class Rules>
  void check_decision(const BasicSnapshot<Rules>& machine) const {
    if (has_given_up_open_round(machine)) {
      throw Violation("I1: rank " + std::to_string(machine.rank()) + " decides in a round that it gave up");
    }
    if (machine.state().round != num_decisions_) {
      throw Violation("I3: rank " + std::to_string(machine.rank()) + " decides without knowing of all decisions");
    }
  }
  template <class Rules>
  void check_decision(const BasicPartialSnapshot<Rules>& machine) const {
    for (const Rank candidate : machine.candidates()) {
      if (machines_[candidate].state().holder != machine.state().own) {
        throw Violation("H: rank " + std::to_string(machine.rank()) + " decides without holding " + std::to_string(candidate));
      }
    }
  }

  template <class Rules>
  void check_rest(const BasicSnapshot<Rules>& machine) const {
    const auto& [round, first_round, answered, requested, given_up] = machine.state();
    const auto is_none = [](Count entry) { return entry == kNoRound; };
    if (round != num_decisions_ || answered != kNobody || !std::all_of(requested.begin(), requested.end(), is_none) ||
        !std::all_of(given_up.begin(), given_up.end(), is_none)) {
      throw Violation("Q: rank " + std::to_string(machine.rank()) + " keeps something of a request");
    }
  }
  template <class Rules>
  void check_rest(const BasicPartialSnapshot<Rules>& machine) const {
    const std::vector<Grant>& grants = machine.state().grants;
    if (!machine.state().waiting.empty() || std::any_of(grants.begin(), grants.end(), [](Grant g) { return g != Grant::none; })) {
      throw Violation("Q: rank " + std::to_string(machine.rank()) + " keeps something of a request");
    }
  }

  // Puts what the machine of `from` has just sent into the queues.
  void post(Rank from) {
    CatchingSink::Sent sent = shared_->sink.take();
    if (shared_->setup.ends_before_reserving) {
      std::stable_partition(sent.begin(), sent.end(),
                            [](const auto& item) { return item.second.kind != LoadMessageKind::reservation; });
    }
    for (auto& [to, message] : sent) {
      if (message.kind == LoadMessageKind::answer) {
        gave_up_[from] = message.ticket;
      }
      queues_.push(from, to, std::move(message));
    }
  }

  template <class Rules>
  [[nodiscard]] bool has_given_up_open_round(const BasicSnapshot<Rules>& machine) const {
    return gave_up_[machine.rank()] == machine.state().round;
  }
  template <class Rules>
  [[nodiscard]] bool has_given_up_open_round(const BasicPartialSnapshot<Rules>& /*machine*/) const {
    return false;  // there are no rounds
  }

  std::shared_ptr<Shared> shared_;
  std::vector<Machine> machines_;
  MessageQueues<LoadMessage> queues_;
  std::vector<int> num_asked_;
  std::vector<Load> reserved_;  // reserved_[j]: on rank j, by all decisions so far
  std::vector<Count> gave_up_;  // gave_up_[j]: ticket of rank j's last answer
  Count num_decisions_ = 0;
};

}  // namespace frond::test
