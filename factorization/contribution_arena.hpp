// SPDX-License-Identifier: BSD-3-Clause
// Where contribution blocks live between their child and their parent: one region filled from both ends.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "factorization/memory_meter.hpp"
#include "factorization/region_pool.hpp"

namespace frond {

/// Memory for contribution blocks. A node at even depth takes its block from the low end, one at odd depth from the high end:
/// visited in postorder both ends are stacks (a parent's block lies at the other end than the children's that it frees), so one
/// thread never needs more than the peak of what is alive. Several threads free in another order; then the first gap that fits is
/// used, and a piece outside the region when none does.
///
///   low end                                             high end
///   | depth 2 | depth 2 | depth 4 |        | depth 3 | depth 1 |
///
/// Thread-safe.
class ContributionArena {
 public:
  enum class End { low, high };

  struct Piece {
    std::byte* data = nullptr;
    Count bytes = 0;
  };

  /// The region comes from `pool` and goes back to it. Throws MemoryError.
  ContributionArena(Count capacity_bytes, MemoryMeter& meter, RegionPool& pool);
  ~ContributionArena() { pool_.give_back(std::move(region_)); }
  ContributionArena(const ContributionArena&) = delete;
  ContributionArena& operator=(const ContributionArena&) = delete;

  /// Takes `bytes` (0 gives an empty piece), aligned to 64 bytes, contents undefined. Throws MemoryError.
  [[nodiscard]] Piece take(Count bytes, End end);
  void give_back(Piece piece);

  [[nodiscard]] static End end_for_depth(Index depth) { return depth % 2 == 0 ? End::low : End::high; }
  [[nodiscard]] static Count rounded(Count bytes) { return (bytes + 63) / 64 * 64; }

 private:
  [[nodiscard]] Count find_gap(Count bytes, End end);
  void insert_gap(Count begin, Count end);

  MemoryMeter& meter_;
  RegionPool& pool_;
  Region region_;
  std::mutex mutex_;
  std::map<Count, Count> gaps_;           // begin -> end, neither empty nor adjacent
  std::map<std::byte*, Region> outside_;  // pieces that found no gap
};

}  // namespace frond
