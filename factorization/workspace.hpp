// SPDX-License-Identifier: BSD-3-Clause
// Memory for the contribution blocks inside a leaf subtree.
#pragma once

#include <mutex>
#include <vector>

#include "factorization/contribution_arena.hpp"
#include "factorization/memory_meter.hpp"
#include "factorization/region_pool.hpp"

namespace frond {

/// Two stacks that grow towards each other in one region, one for the nodes at even depth, one for those at odd depth: see
/// ContributionArena. For one worker that visits a subtree in postorder.
class Workspace {
 public:
  Workspace(Region region, Count bytes) : region_(std::move(region)), high_(bytes) {}

  [[nodiscard]] std::byte* push(Count bytes, ContributionArena::End end) {
    if (end == ContributionArena::End::low) {
      low_ += bytes;
      return region_.data() + low_ - bytes;
    }
    high_ -= bytes;
    return region_.data() + high_;
  }
  [[nodiscard]] Region release() && { return std::move(region_); }
  void pop(Count bytes, ContributionArena::End end) {
    if (end == ContributionArena::End::low) {
      low_ -= bytes;
    } else {
      high_ += bytes;
    }
  }

 private:
  Region region_;
  Count low_ = 0;
  Count high_;
};

/// Workspaces of one size, made when none is free and returned to the pool of regions when no subtree is left. Thread-safe.
class WorkspacePool {
 public:
  WorkspacePool(Count bytes, Index num_subtrees, MemoryMeter& meter, RegionPool& regions)
      : bytes_(bytes), num_subtrees_left_(num_subtrees), meter_(meter), regions_(regions) {}
  ~WorkspacePool() { clear(); }
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  [[nodiscard]] Workspace take();  ///< throws MemoryError
  void give_back(Workspace workspace);

 private:
  void clear();

  Count bytes_;
  Index num_subtrees_left_;
  MemoryMeter& meter_;
  RegionPool& regions_;
  std::mutex mutex_;
  std::vector<Workspace> free_;
};

}  // namespace frond
