// SPDX-License-Identifier: BSD-3-Clause
// Proportional mapping: each subtree gets a share of its parent's ranks in proportion to its work (Pothen, Sun 1993, "A mapping
// algorithm for parallel sparse Cholesky factorization", SIAM J. Sci. Comput. 14), relaxed to candidates from which a master
// chooses (Amestoy, Duff, Voemel 2004, "Task scheduling in an asynchronous distributed memory multifrontal solver", SIAM J. Matrix
// Anal. Appl. 26).
#pragma once

#include <span>
#include <vector>

#include "analysis/mapping/rank_range.hpp"
#include "analysis/tree/assembly_tree.hpp"

namespace frond {

/// A part of the line [0, num_ranks), on which rank r owns [r, r + 1): fractions of ranks are shares of their time.
struct RankInterval {
  double begin = 0;
  double end = 0;

  [[nodiscard]] double width() const { return end - begin; }
};

/// [node] = its share. The roots divide [0, num_ranks), and children their parent's interval, in proportion to `subtree_work`
/// (positive), one after the other without gaps.
[[nodiscard]] std::vector<RankInterval> proportional_intervals(const AssemblyTree& tree, std::span<const double> subtree_work,
                                                               Rank num_ranks);

/// [node] = its candidates: the ranks that its interval touches when lengthened by the fraction `relaxation` of itself, and by at
/// least one rank, half of that at either end. They lie within the parent's candidates, and are at least two where those are.
[[nodiscard]] std::vector<RankRange> candidate_ranges(const AssemblyTree& tree, std::span<const RankInterval> intervals,
                                                      Rank num_ranks, double relaxation);

}  // namespace frond
