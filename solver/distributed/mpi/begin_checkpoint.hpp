// SPDX-License-Identifier: BSD-3-Clause
// Begins a checkpoint on ranks, for its first run.
#pragma once

#include <optional>

#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_checkpoint.hpp"

namespace frond {

/// Collective: begins the checkpoint that rank 0's options request, or takes the one that was opened for the system; nothing if
/// they request none. Throws UsageError for options that a checkpoint excludes, and if a rank does not see the directory; also what
/// CheckpointDirectory::begin() throws.
template <Scalar S>
[[nodiscard]] std::optional<RankCheckpoint> begin_checkpoint(const RankBackend<S>& backend);

}  // namespace frond
