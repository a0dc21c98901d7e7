// SPDX-License-Identifier: BSD-3-Clause
// Chooses the slaves of a rank's fronts, from the best view of loads that the exchange gives, until all of them have accepted.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <span>

#include "factorization/ranks/rank_parts.hpp"

namespace frond {

/// One decision at a time. For the root on a grid, the ranks of the grid take the place of slaves: they accept always.
class RankSlaves : RankMachine {
 public:
  RankSlaves(const RankMachine& shared, RankParts& parts) : RankMachine(shared), parts_(parts) {}

  void receive(Rank from, const SlaveAnswerMessage& message);
  void receive(Rank from, const FreeMemoryMessage& message);
  void receive(Rank from, const RefusalEndMessage& message);

  void set_up();  ///< for the plan in force
  void begin();
  void choose(FrontPlan plan);  ///< for an own front whose children are known; RankHost::on_settled() gets it back, with shares
  void advance();               ///< takes the next decision, once the view is good enough
  void give_up_choices();       ///< in a pause

  /// Own row-distributed fronts whose slaves have not all accepted.
  [[nodiscard]] Index num_undecided() const { return num_undecided_; }
  [[nodiscard]] bool is_deciding() const { return is_deciding_; }
  [[nodiscard]] bool has_to_decide() const { return !undecided_.empty(); }
  [[nodiscard]] Count missing_bytes() const;  ///< as RankEngine has them
  [[nodiscard]] bool is_idle() const { return num_refusals_left_ == 0; }
  [[nodiscard]] bool is_at_rest() const { return num_refusals_left_ == 0 && !is_deciding_; }

 private:
  /// Capacity of a rank that has refused a share.
  struct Capacity {
    Count bytes = 0;      // of a share
    double overhead = 1;  // bytes needed per byte of a share
  };
  struct Choice {
    FrontPlan plan;
    std::map<Rank, Capacity> refused;  // ranks that have refused
    std::size_t answers_left = 0;
    std::set<Rank> accepted;
  };

  void no_more_master();
  [[nodiscard]] std::span<const Rank> candidates(TaskId id) const { return context_.mapping.candidates(task_of(id).node_begin); }
  [[nodiscard]] bool may_decide(LoadExchange& exchange, TaskId id);
  void decide(LoadExchange& exchange, Choice& choice);
  [[nodiscard]] Selection select(const Choice& choice, const LoadExchange& exchange) const;
  void ask(Choice& choice);
  void note_refusal(Choice& choice, Rank slave, const SlaveAnswerMessage& message) const;
  void settle(Choice& choice);
  void conclude(TaskId id);

  RankParts& parts_;
  std::map<TaskId, Choice> choices_;
  std::deque<TaskId> undecided_;     // in the order in which slaves are chosen
  std::map<TaskId, Count> starved_;  // that no choice of slaves has memory for = bytes missing
  bool is_deciding_ = false;         // for the first of the undecided
  Index num_undecided_ = 0;
  Index num_refusals_left_ = 0;  // by others, of settled fronts, whose last message has not arrived
};

}  // namespace frond
