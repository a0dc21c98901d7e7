// SPDX-License-Identifier: BSD-3-Clause
// Loops inside a job that other workers help with.
#pragma once

#include "factorization/kernels/chunks.hpp"
#include "factorization/scheduling/task_pool.hpp"

namespace frond {

/// By the calling worker of the pool and by others that have nothing else to do, in chunks of kLeastChunk at least. The caller
/// waits only for chunks that are under way. The first exception is rethrown.
void run_in_chunks(TaskPool& pool, Index priority, Index size, const ChunkBody& body);

}  // namespace frond
