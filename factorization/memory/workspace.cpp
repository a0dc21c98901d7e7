// SPDX-License-Identifier: BSD-3-Clause
// Implements the pool of workspaces.
#include "factorization/memory/workspace.hpp"

namespace frond {

Workspace WorkspacePool::take(Count bytes) {
  meter_.charge_active(bytes);
  try {
    return Workspace(take_region(bytes), bytes);
  } catch (...) {
    meter_.release_active(bytes);
    throw;
  }
}

Region WorkspacePool::take_region(Count bytes) {
  if (is_memory_scarce_) {
    return Region(bytes);
  }
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Region region = std::move(free_.back());
      free_.pop_back();
      return region;
    }
  }
  return regions_.take(largest_bytes_);
}

void WorkspacePool::give_back(Workspace workspace) {
  meter_.release_active(workspace.bytes());
  const std::lock_guard lock(mutex_);
  if (!is_memory_scarce_) {
    free_.push_back(std::move(workspace).release());
  }
  if (--num_subtrees_left_ == 0) {
    clear();
  }
}

void WorkspacePool::clear() {
  for (Region& region : free_) {
    regions_.give_back(std::move(region));
  }
  free_.clear();
}

}  // namespace frond
