// SPDX-License-Identifier: BSD-3-Clause
// Gives and takes the units of the pool.
#pragma once

#include <cstddef>
#include <optional>

#include "factorization/ranks/rank_layout.hpp"
#include "factorization/ranks/unit_pool.hpp"

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

}  // namespace frond
