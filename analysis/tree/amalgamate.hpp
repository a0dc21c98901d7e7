// SPDX-License-Identifier: BSD-3-Clause
// Relaxed amalgamation: merging children into their parents where bigger fronts are faster (Duff, Reid 1983, "The multifrontal
// solution of indefinite sparse symmetric linear systems", ACM TOMS 9; Ashcraft, Grimes 1989, ACM TOMS 15).
#pragma once

#include <vector>

#include "analysis/tree/supernodes.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

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
