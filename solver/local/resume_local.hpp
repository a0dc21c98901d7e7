// SPDX-License-Identifier: BSD-3-Clause
// Begins and resumes checkpoints of one process.
#pragma once

#include <memory>

#include "solver/local/local_backend.hpp"

namespace frond {

/// Makes the factorizations of a system store their fronts in an opened directory or, if that is null, in a new one, named by its
/// options. Throws UsageError for options that a checkpoint excludes, and what CheckpointDirectory::begin() throws.
template <Scalar S>
void begin_checkpoint(LocalBackend<S>& system, std::shared_ptr<CheckpointDirectory> directory);

/// Returns the analysis of a checkpoint; its factorizations continue from what is stored. If the checkpoint was not begun, the
/// matrix is analysed and the checkpoint begins. Throws UsageError unless the matrix is the one that the checkpoint belongs to, and
/// what CheckpointDirectory::open() throws. The matrix becomes the one to factorize: a triangle if a general one was found to be
/// symmetric.
template <Scalar S>
[[nodiscard]] AnalysisParts resume_analysis(SystemMatrix<S>& matrix, const SolverOptions& options);

}  // namespace frond
