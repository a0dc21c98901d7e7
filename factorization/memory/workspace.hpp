// SPDX-License-Identifier: BSD-3-Clause
// Memory for the contribution blocks inside a leaf subtree.
#pragma once

#include <mutex>
#include <vector>

#include "factorization/memory/contribution_arena.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "factorization/memory/region_pool.hpp"

namespace frond {

/// Two stacks that grow towards each other in one region, one for the nodes at even depth, one for those at odd depth: see
/// ContributionArena. Used by one worker that visits a subtree in postorder.
class Workspace {
 public:
  /// Uses the first `bytes` of the region.
  Workspace(Region region, Count bytes) : region_(std::move(region)), bytes_(bytes), high_(bytes) {}

  [[nodiscard]] std::byte* push(Count bytes, ContributionArena::End end) {
    if (end == ContributionArena::End::low) {
      low_ += bytes;
      return region_.data() + low_ - bytes;
    }
    high_ -= bytes;
    return region_.data() + high_;
  }
  void pop(Count bytes, ContributionArena::End end) {
    if (end == ContributionArena::End::low) {
      low_ -= bytes;
    } else {
      high_ += bytes;
    }
  }

  [[nodiscard]] Count bytes() const { return bytes_; }
  [[nodiscard]] Region release() && { return std::move(region_); }

 private:
  Region region_;
  Count bytes_;
  Count low_ = 0;
  Count high_;
};

/// Hands out workspaces. The meter counts those in use. Where memory is not scarce, the regions of workspaces are kept for other
/// subtrees until the last one is done, each large enough for any of them; where it is scarce, unused regions go back to the system
/// at once. Thread-safe.
class WorkspacePool {
 public:
  WorkspacePool(Count largest_bytes, Index num_subtrees, bool is_memory_scarce, MemoryMeter& meter, RegionPool& regions)
      : largest_bytes_(largest_bytes),
        num_subtrees_left_(num_subtrees),
        is_memory_scarce_(is_memory_scarce),
        meter_(meter),
        regions_(regions) {}
  ~WorkspacePool() { clear(); }
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  [[nodiscard]] Workspace take(Count bytes);  ///< bytes <= largest_bytes; throws MemoryError
  void give_back(Workspace workspace);

 private:
  [[nodiscard]] Region take_region(Count bytes);
  void clear();

  Count largest_bytes_;
  Index num_subtrees_left_;
  bool is_memory_scarce_;
  MemoryMeter& meter_;
  RegionPool& regions_;
  std::mutex mutex_;
  std::vector<Region> free_;  // of largest_bytes_ each
};

}  // namespace frond
