// SPDX-License-Identifier: BSD-3-Clause
// The interface to a store of finished ghosts: FrontStore without entries.
#pragma once

#include "factorization/scheduling/front_part.hpp"
#include "frond/types.hpp"

namespace frond {

/// Called where FrontStore is called for real fronts.
class GhostStore {
 public:
  virtual ~GhostStore() = default;

  /// Takes a part of an eliminated front. The master passes how many slaves have parts of it, too.
  virtual void take_factor(NodeId node, PartRole role, Count num_bytes, Rank num_slaves) = 0;
  /// Takes what the part leaves to the parent.
  virtual void take_block(NodeId node, PartRole role, Count num_bytes) = 0;
  /// Returns once the block is not being read any more.
  virtual void let_go(NodeId node, PartRole role) = 0;
  /// Returns once nothing that was taken so far is being read any more.
  virtual void settle() = 0;
};

}  // namespace frond
