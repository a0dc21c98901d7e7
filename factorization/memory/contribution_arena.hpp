// SPDX-License-Identifier: BSD-3-Clause
// Holds contribution blocks between child and parent, in one region that is filled from both ends.
#pragma once

#include <map>
#include <mutex>

#include "factorization/memory/memory_meter.hpp"
#include "factorization/memory/region_pool.hpp"

namespace frond {

/// Memory for contribution blocks. A node at even depth takes its block from the low end, one at odd depth from the high end:
/// visited in postorder both ends are stacks (a parent's block lies at the other end than the children's that it frees), so one
/// thread never needs more than the peak of live memory. Several threads free blocks in another order; then the first gap that fits
/// is used, or a piece outside the region if none fits.
///
///   low end                                             high end
///   | depth 2 | depth 2 | depth 4 |        | depth 3 | depth 1 |
///
/// Pages of gaps stay with the process for the next blocks as long as the limit has room for them in addition to what the meter
/// counts.
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
  ~ContributionArena();
  ContributionArena(const ContributionArena&) = delete;
  ContributionArena& operator=(const ContributionArena&) = delete;

  /// Takes `bytes` (0 gives an empty piece), aligned to 64 bytes, contents undefined. Throws MemoryError.
  [[nodiscard]] Piece take(Count bytes, End end);
  void give_back(Piece piece);

  [[nodiscard]] static End end_for_depth(Index depth) { return depth % 2 == 0 ? End::low : End::high; }
  [[nodiscard]] static Count rounded(Count bytes) { return (bytes + 63) / 64 * 64; }

 private:
  struct Gap {
    Count end = 0;
    Count idle_bytes = 0;  // upper bound of its bytes on pages that the process holds
  };
  using Gaps = std::map<Count, Gap>;

  [[nodiscard]] Count find_gap(Count bytes, End end);
  [[nodiscard]] Count cut_from(Gaps::iterator gap, Count bytes, End end);
  void insert_gap(Count begin, Gap gap);
  void discard_idle_pages();

  MemoryMeter& meter_;
  RegionPool& pool_;
  Region region_;
  std::mutex mutex_;
  Gaps gaps_;                             // [begin], neither empty nor adjacent
  Count idle_bytes_ = 0;                  // of all gaps
  std::map<std::byte*, Region> outside_;  // pieces that found no gap
};

}  // namespace frond
