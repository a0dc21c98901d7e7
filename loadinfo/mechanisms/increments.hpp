// SPDX-License-Identifier: BSD-3-Clause
// Load increments with reservation (Guermouche and L'Excellent 2005, Algorithm 3, with its gaps closed): variations add up until
// they exceed a threshold, and a master announces its assignments to everybody.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "loadinfo/mechanisms/maintained_view.hpp"

namespace frond {

/// The rules that differ from the published mechanism or are easy to get wrong.
struct IncrementsRules {
  /// True if it is time to send the variations that add up to `unsent`, in either direction: falling loads are news, too.
  static bool is_due(const Load& unsent, const Load& threshold) { return exceeds(unsent, threshold); }

  /// A slave has already counted the reservation, so its task adds only the difference, in whichever order the two arrive.
  static Load variation_on_arrival(const Load& cost, const Load& reserved) { return cost - reserved; }

  /// The master counts its own reservations in its own view, at once.
  static void count_own_choice(Load& view_of_slave, const Load& reserved) { view_of_slave += reserved; }

  /// True for the ranks that a master informs of its choice: ranks that still decide, and always its slaves, whose own load depends
  /// on it.
  static bool must_hear_of_choice(bool is_listening, bool is_slave) { return is_listening || is_slave; }
};

/// In every state, for ranks i != j, i still deciding:
///
///     view_i[j] + updates from j to i under way + reservations for j under way to i + unsent_j
///         = load_j + reservations for j under way to j.
///
/// At rest, views therefore differ from the truth by what is unsent, at most the threshold. Two masters that decide at the same
/// time do not see each other's choice: views are close, not exact.
///
/// With watchers, this holds for ranks j that i watches: updates go to the watchers of the sender, reservations to the watchers of
/// any slave among the chosen, and to the slaves. A deciding rank knows as much about its candidates as if every message went to
/// everybody, but the number of messages does not grow with the square of the number of ranks, as long as fronts have few
/// candidates.
template <class Rules>
class BasicIncrements : public MaintainedView {
 public:
  BasicIncrements(Rank rank, Rank num_ranks, LoadSink& sink, Load threshold, std::shared_ptr<const LoadWatchers> watchers = {})
      : MaintainedView(rank, num_ranks, sink, std::move(watchers)), threshold_(threshold) {}

  /// Variations of this rank's load that have not been sent yet.
  [[nodiscard]] const Load& unsent() const { return unsent_; }

 protected:
  [[nodiscard]] Load variation_on_arrival(const Load& cost, const Load& reserved) const override {
    return Rules::variation_on_arrival(cost, reserved);
  }

  void on_variation(const Load& change) override {
    unsent_ += change;
    if (Rules::is_due(unsent_, threshold_)) {
      send_to_listeners({.kind = LoadMessageKind::update, .load = unsent_});
      unsent_ = {};
    }
  }

  void on_decision(std::span<const Assignment> chosen) override {
    std::vector<bool> is_slave(static_cast<std::size_t>(num_ranks()), false);
    for (const Assignment& assignment : chosen) {
      is_slave[assignment.rank] = true;
      Rules::count_own_choice(view_of(assignment.rank), assignment.load);
    }
    const LoadMessage message{.kind = LoadMessageKind::master_to_all, .assignments{chosen.begin(), chosen.end()}};
    for (Rank to = 0; to < num_ranks(); ++to) {
      const bool is_concerned = is_listening(to) && std::any_of(chosen.begin(), chosen.end(), [&](const Assignment& assignment) {
                                  return watches(to, assignment.rank);
                                });
      if (to != rank() && Rules::must_hear_of_choice(is_concerned, is_slave[to])) {
        send(to, message);
      }
    }
  }

  void receive(Rank from, const LoadMessage& message) override {
    switch (message.kind) {
      case LoadMessageKind::update:
        view_of(from) += message.load;
        break;
      case LoadMessageKind::master_to_all:
        count(from, message);
        break;
      case LoadMessageKind::no_more_master:
        on_no_more_master_of(from);
        break;
      default:
        fail_on(from, message, "no message of the mechanism by increments");
    }
  }

 private:
  // Counts this rank's own load too: reservations announced by the master never become an unsent variation.
  void count(Rank from, const LoadMessage& message) {
    for (const Assignment& assignment : message.assignments) {
      if (assignment.rank >= num_ranks() || assignment.rank == from) {
        fail_on(from, message, "it assigns load to a rank that cannot be its slave");
      }
      if (assignment.rank == rank() || watches(rank(), assignment.rank)) {
        view_of(assignment.rank) += assignment.load;
      }
    }
  }

  Load threshold_;
  Load unsent_;
};

using IncrementsExchange = BasicIncrements<IncrementsRules>;

}  // namespace frond
