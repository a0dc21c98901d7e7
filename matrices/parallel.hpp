// SPDX-License-Identifier: BSD-3-Clause
// Runs work in pieces on several threads.
#pragma once

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

#include "frond/types.hpp"

namespace frond {

/// Less work than this, in bytes or entries touched once, is done by one thread.
inline constexpr Count kLeastPiece = Count{1} << 16;

/// Returns how many of `num_threads` threads (0: one per core) get a core of their own.
[[nodiscard]] inline int threads_with_core(int num_threads) {
  const int num_cores = tbb::info::default_concurrency();
  return num_threads > 0 ? std::min(num_threads, num_cores) : num_cores;
}

/// Returns a number of pieces that keeps the threads busy with pieces worth the overhead.
[[nodiscard]] inline std::size_t num_pieces(Count size, int num_threads) {
  constexpr Count kPiecesOfAThread = 4;
  const Count threads = threads_with_core(num_threads);
  return static_cast<std::size_t>(threads == 1 ? 1 : std::clamp<Count>(size / kLeastPiece, 1, kPiecesOfAThread * threads));
}

/// Where piece `piece` of `num_pieces` begins among `size` elements.
[[nodiscard]] inline std::size_t piece_begin(std::size_t size, std::size_t piece, std::size_t num_pieces) {
  return size / num_pieces * piece + std::min(piece, size % num_pieces);
}

/// Calls work(piece) for each piece below `num_pieces`, on up to `num_threads` threads as above; one piece runs on the calling
/// thread.
template <class Work>
void for_each_piece(std::size_t num_pieces, int num_threads, const Work& work) {
  if (num_pieces == 1) {
    work(std::size_t{0});
    return;
  }
  tbb::task_arena arena(threads_with_core(num_threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, num_pieces, work, tbb::simple_partitioner()); });
}

}  // namespace frond
