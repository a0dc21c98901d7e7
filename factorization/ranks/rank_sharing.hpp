// SPDX-License-Identifier: BSD-3-Clause
// Lets a rank without work take subtrees that others have not begun.
#pragma once

#include <vector>

#include "factorization/ranks/rank_pool.hpp"
#include "factorization/ranks/work_search.hpp"

namespace frond {

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
