// SPDX-License-Identifier: BSD-3-Clause
// Workspaces: two stacks, and the pool that keeps them while subtrees are left.
#include "factorization/workspace.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "matrices/error.hpp"

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

TEST(WorkspacePool, ReusesWhatComesBackAndFreesItWithTheLastSubtree) {
  MemoryMeter meter(0);
  RegionPool regions(0);
  WorkspacePool pool(4096, 3, meter, regions);
  Workspace first = pool.take();
  Workspace second = pool.take();
  EXPECT_EQ(meter.current(), 8192);
  std::byte* data = second.push(64, End::low);
  second.pop(64, End::low);
  pool.give_back(std::move(second));
  EXPECT_EQ(meter.current(), 8192);
  Workspace third = pool.take();
  EXPECT_EQ(third.push(64, End::low), data);
  EXPECT_EQ(meter.peak(), 8192);
  third.pop(64, End::low);
  pool.give_back(std::move(first));
  EXPECT_EQ(meter.current(), 8192);
  pool.give_back(std::move(third));
  EXPECT_EQ(meter.current(), 0);
}

TEST(WorkspacePool, CountsNothingForWhatItCannotHave) {
  RegionPool regions(0);
  MemoryMeter limited(4095);
  WorkspacePool over_limit(4096, 1, limited, regions);
  EXPECT_THROW((void)over_limit.take(), MemoryError);
  EXPECT_EQ(limited.current(), 0);
  MemoryMeter meter(0);
  WorkspacePool absurd(Count{1} << 60, 1, meter, regions);
  EXPECT_THROW((void)absurd.take(), MemoryError);
  EXPECT_EQ(meter.current(), 0);
}

}  // namespace
}  // namespace frond::test
