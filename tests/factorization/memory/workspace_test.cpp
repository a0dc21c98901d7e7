// SPDX-License-Identifier: BSD-3-Clause
// Tests workspaces: two stacks, and the pool that keeps them while subtrees are left.
#include "factorization/memory/workspace.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "frond/error.hpp"

namespace frond::test {
namespace {

using End = ContributionArena::End;

TEST(Workspace, GrowsFromBothEnds) {
  Workspace workspace(Region(1024), 1024);
  std::byte* low = workspace.push(64, End::low);
  std::byte* high = workspace.push(128, End::high);
  EXPECT_EQ(high - low, 1024 - 128);
  EXPECT_EQ(workspace.push(64, End::low), low + 64);
  EXPECT_EQ(workspace.push(64, End::high), high - 64);
  workspace.pop(64, End::low);
  workspace.pop(64, End::high);
  EXPECT_EQ(workspace.push(32, End::low), low + 64);
  EXPECT_EQ(workspace.push(32, End::high), high - 32);
}

TEST(WorkspacePool, KeepsRegionsForOtherSubtreesUntilTheLastOneIsDone) {
  MemoryMeter meter(0);
  RegionPool regions;
  WorkspacePool pool(4096, 3, false, meter, regions);
  Workspace first = pool.take(4096);
  Workspace second = pool.take(1024);
  EXPECT_EQ(meter.current(), 4096 + 1024);
  std::byte* data = second.push(64, End::low);
  pool.give_back(std::move(second));
  EXPECT_EQ(meter.current(), 4096);
  Workspace third = pool.take(2048);  // the region is large enough for any subtree
  EXPECT_EQ(third.push(64, End::low), data);
  EXPECT_EQ(third.push(64, End::high), data + 2048 - 64);
  pool.give_back(std::move(first));
  EXPECT_EQ(regions.kept_bytes(), 0);
  pool.give_back(std::move(third));
  EXPECT_EQ(meter.current(), 0);
  EXPECT_EQ(regions.kept_bytes(), 8192);
}

TEST(WorkspacePool, KeepsNothingWhereMemoryIsScarce) {
  MemoryMeter meter(0);
  RegionPool regions;
  WorkspacePool pool(4096, 2, true, meter, regions);
  pool.give_back(pool.take(1024));
  pool.give_back(pool.take(4096));
  EXPECT_EQ(meter.peak(), 4096);
  EXPECT_EQ(regions.kept_bytes(), 0);
}

TEST(WorkspacePool, CountsNothingForWhatItCannotHave) {
  RegionPool regions(0);
  MemoryMeter limited(4095);
  WorkspacePool over_limit(4096, 1, false, limited, regions);
  EXPECT_THROW((void)over_limit.take(4096), MemoryError);
  EXPECT_EQ(limited.current(), 0);
  MemoryMeter meter(0);
  WorkspacePool absurd(Count{1} << 60, 1, false, meter, regions);
  EXPECT_THROW((void)absurd.take(Count{1} << 60), MemoryError);
  EXPECT_EQ(meter.current(), 0);
}

}  // namespace
}  // namespace frond::test
