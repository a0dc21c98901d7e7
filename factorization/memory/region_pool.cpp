// SPDX-License-Identifier: BSD-3-Clause
// Takes the best fit among the kept regions.
#include "factorization/memory/region_pool.hpp"

#include <algorithm>

namespace frond {

namespace {

bool is_smaller(const Region& region, Count bytes) { return region.bytes() < bytes; }

}  // namespace

std::shared_ptr<RegionPool> make_region_pool() { return std::make_shared<RegionPool>(); }

RegionPool::~RegionPool() {
  for (Region& region : regions_) {
    if (source_) {
      source_->give_back(std::move(region));
    }
  }
}

Region RegionPool::take(Count bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto fit = std::lower_bound(regions_.begin(), regions_.end(), bytes, is_smaller);
    if (bytes > 0 && fit != regions_.end() && fit->bytes() / 2 <= bytes) {
      Region region = std::move(*fit);
      regions_.erase(fit);
      kept_bytes_ -= region.bytes();
      return region;
    }
  }
  return source_ ? source_->take(bytes) : Region(bytes);
}

void RegionPool::give_back(Region region) {
  if (region.bytes() == 0) {
    return;
  }
  region.mark_used();
  {
    const std::lock_guard lock(mutex_);
    if (region.bytes() <= most_kept_bytes_ - kept_bytes_) {
      kept_bytes_ += region.bytes();
      const auto place = std::lower_bound(regions_.begin(), regions_.end(), region.bytes(), is_smaller);
      regions_.insert(place, std::move(region));
      return;
    }
  }
  if (source_) {
    source_->give_back(std::move(region));
  }
}

Count RegionPool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_bytes_;
}

}  // namespace frond
