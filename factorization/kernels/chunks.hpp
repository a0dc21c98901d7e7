// SPDX-License-Identifier: BSD-3-Clause
// Loops whose parts may run at the same time, inside a job.
#pragma once

#include <functional>

#include "frond/types.hpp"

namespace frond {

inline constexpr Index kLeastChunk = 64;  ///< rows or columns that dense products still like

using ChunkBody = std::function<void(Index begin, Index end)>;

/// Calls `body` for disjoint ranges that cover [0, size), and returns when all have been done.
using RunChunks = std::function<void(Index size, const ChunkBody& body)>;

/// On the calling thread, the range as a whole.
inline void run_as_one_chunk(Index size, const ChunkBody& body) { body(0, size); }

}  // namespace frond
