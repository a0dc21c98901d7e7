// SPDX-License-Identifier: BSD-3-Clause
// Lets a rank without work take subtrees that others have not begun, or get some out of the pool.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "factorization/ranks/rank_layout.hpp"
#include "factorization/ranks/unit_pool.hpp"
#include "factorization/ranks/work_search.hpp"

namespace frond {

/// A rank's part in WorkSharing::pool. No unit of the pool begins before it is granted.
class RankPool : RankMachine {
 public:
  RankPool(const RankMachine& shared, RankLayout& layout) : RankMachine(shared), layout_(layout) {}

  void receive(Rank from, const PoolRequestMessage& message);
  void receive(Rank from, const GivenMessage& message);

  void set_up();  ///< for the plan in force, after the tasks
  [[nodiscard]] bool is_used() const { return options_.sharing == WorkSharing::pool; }
  /// The request of this rank for more units, at this moment.
  [[nodiscard]] PoolRequestMessage request(Count free_bytes);
  void on_granted(std::size_t num_units);

 private:
  [[nodiscard]] double now() const { return options_.clock ? options_.clock() : 0; }

  RankLayout& layout_;
  std::optional<UnitPool> units_;  // on the rank that gives its units
  Index num_granted_ = 0;          // units of the last chunk
  double asked_at_ = 0;
  double granted_at_ = 0;
};

/// A rank's requests for tasks (WorkSearch), one at a time, and its answers to those of others. For its request it sets memory
/// aside, so that what is granted can begin whatever else arrives.
class RankSharing : RankMachine {
 public:
  RankSharing(const RankMachine& shared, const RankParts& parts, RankLayout& layout, RankPool& pool)
      : RankMachine(shared),
        parts_(parts),
        layout_(layout),
        pool_(pool),
        search_(options_.sharing, me(), context_.mapping.members(), options_.sharing_seed) {}

  void receive(Rank from, const StealMessage& message);
  void receive(Rank from, const GrantMessage& message);

  void set_up();   ///< for the plan in force, after the tasks
  void advance();  ///< asks for tasks if this rank has nothing to do

  [[nodiscard]] bool is_dry() const { return search_.is_dry(); }
  [[nodiscard]] bool is_idle() const { return !search_.is_out(); }

 private:
  void answer(StealMessage message);
  void take_back(const StealMessage& message);
  void answer_put_off();
  [[nodiscard]] double part_for(const StealMessage& message) const;

  const RankParts& parts_;
  RankLayout& layout_;
  RankPool& pool_;
  WorkSearch search_;
  std::vector<StealMessage> put_off_;  // requests of others, until this rank's own is answered
  Count most_guest_bytes_ = 0;         // largest need of any unit that others have
};

}  // namespace frond
