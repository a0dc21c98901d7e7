// SPDX-License-Identifier: BSD-3-Clause
// Determines the rank of a matrix most of whose rows and columns can be removed by counting entries.
#pragma once

#include "frond/matrix.hpp"
#include "frond/types.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {

/// Dense factors of a core may take four times the free flops of a proof search; a core of 400 by 3500 does.
inline constexpr double kMostCoreFlops = 4 * kFreeFlops;
inline constexpr Count kMostCoreBytes = Count{64} << 20;

/// Bounds of the rank from both sides, by the definitions of RankProof. An entry that is alone in its row or its column is a pivot
/// whatever its value is, and leaves all others as they are; without its row and its column further ones may be alone. What finally
/// remains is the core:
///
///   rank(A) = number of these pivots + rank(core),
///
/// also for all matrices whose entries differ from those of A by less than their size; stored zeros are not entries. Complete
/// pivoting finds a block B of the core that is as large as its rank appears to be: |B^-1| |B| is computed, and the presumed null
/// vectors of the core are tested, left ones if it has fewer rows than columns. The status is in_doubt if the bounds differ; if the
/// core is too large, or memory runs out, its size gives the bounds. O(entries + rows) in addition to the core.
template <Scalar S>
[[nodiscard]] RankProof bound_rank_by_core(const MatrixView<S>& matrix, int num_threads);

/// Whether the core may settle the rank: it is in doubt, and the structure singular.
[[nodiscard]] bool wants_core(const RankProof& rank, Index order, Index structural_rank);

/// Combines the bounds of the core with those of the report unless they contradict each other: vectors are tested, the rest is
/// estimated. If no doubt is left, a note says how, since pivots need not show that rank.
void heed_core(const RankProof& by_core, Index order, Index structural_rank, SystemReport& report);

}  // namespace frond
