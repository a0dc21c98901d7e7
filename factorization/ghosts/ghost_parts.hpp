// SPDX-License-Identifier: BSD-3-Clause
// The work of parts of a row-distributed front without numbers: the lengths of PartWork's messages, and the flops of each step.
#pragma once

#include <memory>
#include <vector>

#include "factorization/distributed/part_work.hpp"

namespace frond {

struct GhostStep {
  PartStep step;
  double flops = 0;
  double entries = 0;           ///< moved by assembly
  double original_entries = 0;  ///< of the matrix, added to the front
};

/// A front as one of its parts sees it.
struct GhostFront {
  FrontSize size;
  Method method;
  Count scalar_bytes;
  Count real_bytes;  ///< of a magnitude
  Rank master;
  const std::vector<RowShare>& shares;  ///< which outlive the part, as do `flops`
  double& flops;                        ///< grow by those of each step
};

/// Make the part of the master, and that of a slave. Every pivot is accepted.
[[nodiscard]] std::unique_ptr<PartWork> make_ghost_master(const GhostFront& front);
[[nodiscard]] std::unique_ptr<PartWork> make_ghost_slave(const GhostFront& front, Rank slave);

}  // namespace frond
