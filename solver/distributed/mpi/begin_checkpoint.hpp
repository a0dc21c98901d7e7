// SPDX-License-Identifier: BSD-3-Clause
// The first run of a checkpoint on ranks.
#pragma once

#include <optional>

#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_checkpoint.hpp"

namespace frond {

/// Collective: begins the checkpoint that rank 0's options ask for, or takes the one that was opened for the system; nothing if
/// they ask for none. Throws UsageError for options that a checkpoint excludes, and where a rank does not see the directory; what
/// CheckpointDirectory::begin() throws.
template <Scalar S>
[[nodiscard]] std::optional<RankCheckpoint> begin_checkpoint(const RankBackend<S>& backend);

}  // namespace frond
