// SPDX-License-Identifier: BSD-3-Clause
// Predicts the flops, memory of factors, and peak of active memory of each rank from a mapping.
#pragma once

#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "frond/analysis_options.hpp"

namespace frond {

/// One rank's part when no pivot is delayed. Bytes are entries times the size of a scalar, rounded, without the gaps and lists of
/// storage.
struct RankEstimate {
  double flops = 0;
  Count factor_bytes = 0;
  Count peak_active_bytes = 0;  ///< contribution blocks alive at once, and parts of fronts that are not kept
};

/// Least, mean and largest value over the ranks.
struct RankSpread {
  double least = 0;
  double mean = 0;
  double largest = 0;

  /// Returns 1 for perfect balance; also for ranks that have nothing to do at all.
  [[nodiscard]] double imbalance() const { return mean > 0 ? largest / mean : 1; }
};

struct MappingEstimate {
  std::vector<RankEstimate> ranks;
  RankSpread flops;
  RankSpread factor_bytes;
  RankSpread peak_active_bytes;

  [[nodiscard]] double total_flops() const { return flops.mean * static_cast<double>(ranks.size()); }
};

/// Subtrees, type 1 and masters of type 2 are exact; the slaves' part of a type 2 node is split equally among all candidates except
/// the master, and a type 3 node among the ranks of the grid.
///
/// The peak of active memory is that of a run in which every rank does its subtrees in postorder and then all together the upper
/// nodes in postorder; a node's contribution block is created while those of its children are alive. A front that is not kept as a
/// whole counts in full while its contribution block and those of its children are alive.
[[nodiscard]] MappingEstimate estimate_mapping(const AssemblyTree& tree, const Mapping& mapping, Method method, Count scalar_bytes,
                                               KeptFactors kept = KeptFactors::all);

}  // namespace frond
