// SPDX-License-Identifier: BSD-3-Clause
// Loops whose parts may run at the same time, inside a job.
#pragma once

#include <functional>

#include "frond/types.hpp"

namespace frond {

inline constexpr Index kLeastChunk = 64;  ///< rows or columns from which on dense products are efficient

using ChunkBody = std::function<void(Index begin, Index end)>;

/// Calls `body` for disjoint ranges that cover [0, size), and returns when all are done.
using RunChunks = std::function<void(Index size, const ChunkBody& body)>;

/// Runs the whole range on the calling thread.
inline void run_as_one_chunk(Index size, const ChunkBody& body) { body(0, size); }

}  // namespace frond
