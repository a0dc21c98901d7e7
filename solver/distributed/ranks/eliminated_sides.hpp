// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides between the forward sweep and the backward sweep, as one rank has them.
#pragma once

#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What the forward sweep for op(A) X = B leaves on one rank. Rows have num_rhs numbers each.
template <Scalar S>
struct EliminatedSides {
  Index num_rhs = 0;
  /// [own node] = rows of its eliminated positions, in their order; of a root on a grid, which is solved with as a whole, its
  /// right-hand sides.
  std::vector<std::vector<S>> rows;
  /// [own node, or child of one] = the unknowns that it has delayed.
  std::vector<std::vector<Index>> delayed_unknowns;
};

}  // namespace frond
