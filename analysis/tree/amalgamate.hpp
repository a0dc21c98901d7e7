// SPDX-License-Identifier: BSD-3-Clause
// Relaxed amalgamation: merging children into their parents where bigger fronts are faster (Duff, Reid 1983, "The multifrontal
// solution of indefinite sparse symmetric linear systems", ACM TOMS 9; Ashcraft, Grimes 1989, ACM TOMS 15).
#pragma once

#include <vector>

#include "analysis/tree/supernodes.hpp"
#include "frond/types.hpp"

namespace frond {

/// A child is merged into its parent when one front is predicted to take no longer than two and not too many explicit zeros are
/// stored. A front is predicted to take
///     front_seconds + entry_seconds * (entries of the front) + flop_seconds * (flops of its elimination).
/// The times are those of Frond's own fronts on one AVX-512 core; only their ratios matter. The larger of the two bounds on zeros
/// applies: `free_zeros` lets tiny fronts grow (the header and index list of another front take as many bytes), `max_zero_fraction`
/// bounds the growth of the others. Together they leave a fifth to a third of the fronts on grids in 2D and on circuits, for 10 to
/// 20 % more entries, and about half of the fronts on grids in 3D, for 1 to 5 % more.
struct AmalgamationOptions {
  bool enabled = true;              ///< whether children are merged
  double front_seconds = 0.5e-6;    ///< per front, whatever its size: index lists, calls, small loops
  double entry_seconds = 1e-9;      ///< per entry of the front: set to zero, update, add into the parent
  double flop_seconds = 1 / 20e9;   ///< per flop of the elimination
  Count free_zeros = 64;            ///< explicit zeros among a front's factor entries that are always accepted
  double max_zero_fraction = 0.20;  ///< explicit zeros accepted beyond that, as a fraction of the front's factor entries
};

/// Fronts, each of one or more supernodes. Parents have higher numbers than their children.
struct FrontTree {
  std::vector<Index> front_of;          ///< supernode -> front
  std::vector<Index> parent;            ///< kNoParent for a root
  std::vector<Index> num_fully_summed;  ///< variables of the front's supernodes
  std::vector<Index> cb_order;          ///< that of its topmost supernode
  bool keeps_last = false;              ///< the last front is that of the kept supernode

  [[nodiscard]] Index num_fronts() const { return static_cast<Index>(parent.size()); }
};

/// Predicted time of one front in seconds; see AmalgamationOptions.
[[nodiscard]] double predicted_seconds(Index num_fully_summed, Index cb_order, Symmetry symmetry,
                                       const AmalgamationOptions& options);

/// Merges children into parents, from the leaves to the roots, wherever that pays off according to `options`. A child's columns of
/// L gain the parent's rows; its rows are all among them already, so any child may be merged, whatever its place among its
/// siblings. Nothing is merged into kept vertices. The remaining leaves are merged with their twins (see SupernodeTree): in their
/// parent they would have had more pivots to choose from.
[[nodiscard]] FrontTree amalgamate(const SupernodeTree& supernodes, Symmetry symmetry, const AmalgamationOptions& options);

}  // namespace frond
