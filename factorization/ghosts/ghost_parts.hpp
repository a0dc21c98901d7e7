// SPDX-License-Identifier: BSD-3-Clause
// The work of parts of a row-distributed front without numbers: the lengths of PartWork's messages, and the flops of each step.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "factorization/distributed/part_work.hpp"

namespace frond {

struct GhostStep {
  PartStep step;
  double flops = 0;
  double entries = 0;           ///< moved by assembly
  double original_entries = 0;  ///< of the matrix, added to the front
};

/// A part at work, as PartWork; every pivot is accepted.
class GhostPart {
 public:
  virtual ~GhostPart() = default;
  [[nodiscard]] virtual GhostStep begin() = 0;
  [[nodiscard]] virtual GhostStep go_on() = 0;
  [[nodiscard]] virtual GhostStep receive(Rank from, std::span<const std::byte> body) = 0;
};

/// Data that all parts of a front share.
struct GhostFront {
  FrontSize size;
  Method method = Method::lu;
  Count scalar_bytes = 8;
  Count real_bytes = 8;  ///< of a magnitude
  Rank master = 0;
  std::vector<RowShare> shares;
};

[[nodiscard]] std::unique_ptr<GhostPart> make_ghost_master(const GhostFront& front);
[[nodiscard]] std::unique_ptr<GhostPart> make_ghost_slave(const GhostFront& front, Rank slave);

}  // namespace frond
