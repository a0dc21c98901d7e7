// SPDX-License-Identifier: BSD-3-Clause
// Runs loops inside a job with the help of other workers.
#pragma once

#include "factorization/kernels/chunks.hpp"
#include "factorization/scheduling/task_pool.hpp"

namespace frond {

/// Runs the loop on the calling worker of the pool and on idle ones, in chunks of at least kLeastChunk. The caller waits only for
/// chunks under way. The first exception is rethrown.
void run_in_chunks(TaskPool& pool, Index priority, Index size, const ChunkBody& body);

}  // namespace frond
