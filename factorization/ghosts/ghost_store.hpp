// SPDX-License-Identifier: BSD-3-Clause
// The port to where finished ghosts are kept beside memory: FrontStore without entries.
#pragma once

#include "factorization/scheduling/front_part.hpp"
#include "frond/types.hpp"

namespace frond {

/// Called when FrontStore is called of real fronts.
class GhostStore {
 public:
  virtual ~GhostStore() = default;

  /// A part of an eliminated front. The master says how many slaves have parts of it, too.
  virtual void take_factor(NodeId node, PartRole role, Count num_bytes, Rank num_slaves) = 0;
  /// What it leaves to the parent.
  virtual void take_block(NodeId node, PartRole role, Count num_bytes) = 0;
  /// Returns when nothing reads the block any more.
  virtual void let_go(NodeId node, PartRole role) = 0;
  /// Returns when nothing is read any more of what was taken so far.
  virtual void settle() = 0;
};

}  // namespace frond
