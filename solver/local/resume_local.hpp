// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of one process: the first run, and those that go on.
#pragma once

#include <memory>

#include "solver/local/local_backend.hpp"

namespace frond {

/// Lets the factorizations of a system leave their fronts in a directory that was opened; where that is null, in a new one, which
/// its options name. Throws UsageError for options that a checkpoint excludes, and what CheckpointDirectory::begin() throws.
template <Scalar S>
void begin_checkpoint(LocalBackend<S>& system, std::shared_ptr<CheckpointDirectory> directory);

/// The analysis of a checkpoint, whose factorizations go on from what is there. What was not begun is analysed, and begins. Throws
/// UsageError unless the matrix is the one that the checkpoint is of, and what CheckpointDirectory::open() throws. The matrix
/// becomes what is to be factorized: its triangle where a general one has been found to be symmetric.
template <Scalar S>
[[nodiscard]] AnalysisParts resume_analysis(SystemMatrix<S>& matrix, const SolverOptions& options);

}  // namespace frond
