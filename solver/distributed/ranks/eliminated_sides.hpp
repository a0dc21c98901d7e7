// SPDX-License-Identifier: BSD-3-Clause
// Holds one rank's right-hand sides between the forward sweep and the backward sweep.
#pragma once

#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The result of the forward sweep for op(A) X = B on one rank. Rows have num_rhs numbers each.
template <Scalar S>
struct EliminatedSides {
  Index num_rhs = 0;
  /// [own node] = rows of its eliminated positions, in their order; for a root on a grid, which is solved as a whole, its
  /// right-hand sides.
  std::vector<std::vector<S>> rows;
  /// [own node, or child of one] = its delayed unknowns.
  std::vector<std::vector<Index>> delayed_unknowns;
};

}  // namespace frond
