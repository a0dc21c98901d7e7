// SPDX-License-Identifier: BSD-3-Clause
// The ports through which a rank's engine puts a new plan in force, and moves parts of finished fronts.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "factorization/recovery/recovery_plan.hpp"

namespace frond {

/// Where the plan of a rank lives.
class PlanInForce {
 public:
  /// What a plan comes to for one rank.
  struct Terms {
    Count ahead_limit_bytes = -1;  ///< as in EngineOptions
    Count planned_peak_bytes = 0;  ///< as in RankEngineOptions
  };

  virtual ~PlanInForce() = default;

  /// Replaces what RankContext refers to, task graph and mapping, and renumbers what the fronts know by their tasks. Nothing is
  /// under way meanwhile.
  virtual Terms adopt(const RecoveryPlan& plan) = 0;
};

/// Parts of finished fronts, real or ghosts.
class MovableFronts {
 public:
  virtual ~MovableFronts() = default;

  /// Bytes of the contribution rows of slaves' parts whose fronts are held tasks.
  [[nodiscard]] virtual std::map<FrontPart, Count> held_rows() const = 0;
  [[nodiscard]] virtual Count held_rows_of(FrontPart part) const = 0;  ///< of a slave's part; 0: there are none
  /// The finished row-distributed fronts whose master this rank is, with who holds their rows.
  [[nodiscard]] virtual std::map<NodeId, std::vector<RowShare>> shared_fronts() const = 0;

  /// A part on its way out of this rank: what it is, and its bytes, which are read in order; then it is dropped.
  [[nodiscard]] virtual std::vector<std::byte> describe_part(NodeId node, PartRole role) const = 0;
  [[nodiscard]] virtual Count part_bytes(NodeId node, PartRole role) const = 0;
  virtual void read_part(NodeId node, PartRole role, Count offset, std::span<std::byte> bytes) const = 0;
  virtual void drop_part(NodeId node, PartRole role) = 0;

  /// A part on its way from another rank: what it is, and its bytes. When all rows of a front that come to this rank, from one or
  /// several, are there, they join each other and those that it has. take_part() and join_rows() throw MemoryError.
  virtual void take_part(const MovedPart& part, std::span<const std::byte> described) = 0;
  virtual void write_part(const MovedPart& part, Count offset, std::span<const std::byte> bytes) = 0;
  virtual void join_rows(NodeId node) = 0;
};

}  // namespace frond
