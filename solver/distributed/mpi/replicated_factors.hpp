// SPDX-License-Identifier: BSD-3-Clause
// Factors of several ranks, all of them on each.
#pragma once

#include <memory>

#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/local/local_backend.hpp"

namespace frond {

/// Collective: a system of this process alone with all factors of `system`, if there are any; it shares the matrix and its
/// analysis. Throws MemoryError on all ranks where one has no room for them beside its own part, and StoppedError.
template <Scalar S>
[[nodiscard]] std::unique_ptr<LocalBackend<S>> replicate_factors(const RankBackend<S>& system);

// No rank gets a copy of a block that another one has not finished: it would take as long as that block.

/// How many columns each block has whose columns are dealt out: as many blocks as a multiple of the ranks, so that ranks of one
/// speed end together, none of more than kSolveBlock columns, whose factors are read from memory for all of them at once.
struct ColumnBlocks {
  Count num_blocks = 1;  ///< one at least, which may be empty
  Index num_columns = 0;

  ColumnBlocks(Index columns, Rank num_ranks);
  [[nodiscard]] Index begin(Count block) const { return static_cast<Index>(num_columns * block / num_blocks); }
  [[nodiscard]] Index end(Count block) const { return begin(block + 1); }
};

}  // namespace frond
