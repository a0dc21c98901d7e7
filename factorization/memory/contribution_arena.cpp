// SPDX-License-Identifier: BSD-3-Clause
// Allocates first fit from either end, and merges neighbouring gaps.
#include "factorization/memory/contribution_arena.hpp"

#include <algorithm>
#include <iterator>

namespace frond {

ContributionArena::ContributionArena(Count capacity_bytes, MemoryMeter& meter, RegionPool& pool)
    : meter_(meter), pool_(pool), region_(pool.take(rounded(capacity_bytes))) {
  if (capacity_bytes > 0) {
    const Count size = rounded(capacity_bytes);
    idle_bytes_ = region_.is_zero() ? 0 : size;
    gaps_.emplace(0, Gap{size, idle_bytes_});
  }
  meter_.set_idle(idle_bytes_);
  meter_.set_holder_of_idle([this] { discard_idle_pages(); });
}

ContributionArena::~ContributionArena() {
  meter_.set_holder_of_idle({});
  meter_.set_idle(0);
  pool_.give_back(std::move(region_));
}

ContributionArena::Piece ContributionArena::take(Count bytes, End end) {
  if (bytes == 0) {
    return {};
  }
  const Count size = rounded(bytes);
  meter_.charge_active(size);
  const std::lock_guard lock(mutex_);
  const Count offset = find_gap(size, end);
  meter_.set_idle(idle_bytes_);
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
    insert_gap(begin, {begin + piece.bytes, piece.bytes});
    idle_bytes_ += piece.bytes;
  }
  meter_.set_idle(idle_bytes_);
}

void ContributionArena::discard_idle_pages() {
  const std::lock_guard lock(mutex_);
  for (auto& [begin, gap] : gaps_) {
    if (gap.idle_bytes > 0) {
      region_.discard(begin, gap.end);
      gap.idle_bytes = 0;
    }
  }
  idle_bytes_ = 0;
  meter_.set_idle(0);
}

// Cuts `bytes` from the gap nearest to `end` that has them. Returns their offset, -1 if there is no such gap.
Count ContributionArena::find_gap(Count bytes, End end) {
  const auto fits = [bytes](const auto& gap) { return gap.second.end - gap.first >= bytes; };
  if (end == End::low) {
    const auto gap = std::find_if(gaps_.begin(), gaps_.end(), fits);
    return gap == gaps_.end() ? -1 : cut_from(gap, bytes, end);
  }
  const auto gap = std::find_if(gaps_.rbegin(), gaps_.rend(), fits);
  return gap == gaps_.rend() ? -1 : cut_from(std::prev(gap.base()), bytes, end);
}

// Returns the offset of the piece that is cut off. The rest may hold all of the gap's idle pages, as far as there is room for them.
Count ContributionArena::cut_from(Gaps::iterator gap, Count bytes, End end) {
  const auto [begin, whole] = *gap;
  const Count left = whole.end - begin - bytes;
  const Count idle = std::min(whole.idle_bytes, left);
  idle_bytes_ -= whole.idle_bytes - idle;
  gaps_.erase(gap);
  if (left > 0) {
    gaps_.emplace(end == End::low ? begin + bytes : begin, Gap{end == End::low ? whole.end : begin + left, idle});
  }
  return end == End::low ? begin : begin + left;
}

void ContributionArena::insert_gap(Count begin, Gap gap) {
  auto next = gaps_.lower_bound(begin);
  if (next != gaps_.end() && next->first == gap.end) {
    gap = {next->second.end, gap.idle_bytes + next->second.idle_bytes};
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin()) {
    const auto before = std::prev(next);
    if (before->second.end == begin) {
      before->second = {gap.end, before->second.idle_bytes + gap.idle_bytes};
      return;
    }
  }
  gaps_.emplace(begin, gap);
}

}  // namespace frond
