// SPDX-License-Identifier: BSD-3-Clause
// The interface through which a rank's engine moves parts of finished fronts.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "factorization/distributed/front_plan.hpp"

namespace frond {

/// A part of a finished front that goes to another rank.
struct MovedPart {
  NodeId node = 0;
  PartRole role = PartRole::master;
  Rank from = 0;
  Rank to = 0;

  friend auto operator<=>(const MovedPart&, const MovedPart&) = default;
};

/// Parts of finished fronts, real or ghosts.
class MovableFronts {
 public:
  virtual ~MovableFronts() = default;

  /// Bytes of the contribution rows of slaves' parts whose fronts are held tasks.
  [[nodiscard]] virtual std::map<FrontPart, Count> held_rows() const = 0;
  [[nodiscard]] virtual Count held_rows_of(FrontPart part) const = 0;  ///< of a slave's part; 0: there are none
  /// Returns the finished row-distributed fronts whose master this rank is, with the shares of their rows.
  [[nodiscard]] virtual std::map<NodeId, std::vector<RowShare>> shared_fronts() const = 0;

  /// For a part that leaves this rank: its description, and its bytes, which are read in order; then it is dropped.
  [[nodiscard]] virtual std::vector<std::byte> describe_part(NodeId node, PartRole role) const = 0;
  [[nodiscard]] virtual Count part_bytes(NodeId node, PartRole role) const = 0;
  virtual void read_part(NodeId node, PartRole role, Count offset, std::span<std::byte> bytes) const = 0;
  virtual void drop_part(NodeId node, PartRole role) = 0;

  /// For a part that comes from another rank: its description, and its bytes. When all rows of a front that move to this rank, from
  /// one or several others, have arrived, join_rows() joins them with each other and with those already here. take_part() and
  /// join_rows() throw MemoryError.
  virtual void take_part(const MovedPart& part, std::span<const std::byte> described) = 0;
  virtual void write_part(const MovedPart& part, Count offset, std::span<const std::byte> bytes) = 0;
  virtual void join_rows(NodeId node) = 0;
};

}  // namespace frond
