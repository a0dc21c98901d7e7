// SPDX-License-Identifier: BSD-3-Clause
// Copies the factors of several ranks to each of them.
#pragma once

#include <memory>

#include "frond/place.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/local/local_backend.hpp"

namespace frond {

/// Collective: returns a system on this process alone with all factors of `system`, if there are any; it shares the matrix and its
/// analysis. Throws MemoryError on all ranks if one has no room for them in addition to its own part, and StoppedError.
template <Scalar S>
[[nodiscard]] std::unique_ptr<LocalBackend<S>> replicate_factors(const RankBackend<S>& system);

/// Collective, as solve_in_blocks().
template <Scalar S>
SolveReport solve_blocks(const Place& place, SystemCourse<S>& replica, DenseView<const S> b, DenseView<S> x, Operation operation);

/// Divides columns into blocks that are dealt out: the number of blocks is a multiple of the number of ranks, so that ranks of
/// equal speed finish together, and a block has at most kSolveBlock columns, which share each read of the factors from memory.
struct ColumnBlocks {
  Count num_blocks = 1;  ///< at least one, which may be empty
  Index num_columns = 0;

  ColumnBlocks(Index columns, Rank num_ranks);
  [[nodiscard]] Index begin(Count block) const { return static_cast<Index>(num_columns * block / num_blocks); }
  [[nodiscard]] Index end(Count block) const { return begin(block + 1); }
};

}  // namespace frond
