// SPDX-License-Identifier: BSD-3-Clause
// First fit from either end, with neighbouring gaps merged.
#include "factorization/contribution_arena.hpp"

#include <iterator>

namespace frond {

ContributionArena::ContributionArena(Count capacity_bytes, MemoryMeter& meter, RegionPool& pool)
    : meter_(meter), pool_(pool), region_(pool.take(rounded(capacity_bytes))) {
  if (capacity_bytes > 0) {
    gaps_.emplace(0, rounded(capacity_bytes));
  }
}

ContributionArena::Piece ContributionArena::take(Count bytes, End end) {
  if (bytes == 0) {
    return {};
  }
  const Count size = rounded(bytes);
  meter_.charge_active(size);
  const std::lock_guard lock(mutex_);
  const Count offset = find_gap(size, end);
  if (offset >= 0) {
    return {region_.data() + offset, size};
  }
  try {
    Region region(size);
    std::byte* data = region.data();
    outside_.emplace(data, std::move(region));
    return {data, size};
  } catch (...) {
    meter_.release_active(size);
    throw;
  }
}

void ContributionArena::give_back(Piece piece) {
  if (piece.data == nullptr) {
    return;
  }
  meter_.release_active(piece.bytes);
  const std::lock_guard lock(mutex_);
  if (outside_.erase(piece.data) == 0) {
    const Count begin = piece.data - region_.data();
    insert_gap(begin, begin + piece.bytes);
  }
}

// Cuts `bytes` from the gap nearest to `end` that has them. Returns the offset, -1 if there is none.
Count ContributionArena::find_gap(Count bytes, End end) {
  if (end == End::low) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
      if (gap->second - gap->first >= bytes) {
        const auto [begin, gap_end] = *gap;
        gaps_.erase(gap);
        if (begin + bytes < gap_end) {
          gaps_.emplace(begin + bytes, gap_end);
        }
        return begin;
      }
    }
    return -1;
  }
  for (auto gap = gaps_.rbegin(); gap != gaps_.rend(); ++gap) {
    if (gap->second - gap->first >= bytes) {
      gap->second -= bytes;
      const Count offset = gap->second;
      if (gap->first == gap->second) {
        gaps_.erase(gap->first);
      }
      return offset;
    }
  }
  return -1;
}

void ContributionArena::insert_gap(Count begin, Count end) {
  auto next = gaps_.lower_bound(begin);
  if (next != gaps_.end() && next->first == end) {
    end = next->second;
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin()) {
    const auto before = std::prev(next);
    if (before->second == begin) {
      before->second = end;
      return;
    }
  }
  gaps_.emplace(begin, end);
}

}  // namespace frond
