// SPDX-License-Identifier: BSD-3-Clause
// Tests the bounds of the machine and of setrlimit, from recorded files.
#include "factorization/machine/memory_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/matrices/system_tree.hpp"

namespace frond::test {
namespace {

constexpr const char* kMeminfo =
    "MemTotal:       1000 kB\nMemFree:         400 kB\nMemAvailable:    600 kB\nHugePages_Total:   0\nSwapFree:       9000 kB\n"
    "CommitLimit:     500 kB\nCommitted_AS:    450 kB\n";

std::vector<MemoryBound> bounds_of(const SystemTree& tree, const ProcessLimits& limits = {}) {
  return memory_bounds(limits, tree.root());
}

TEST(MemoryBounds, AreWhatTheMachineHasAvailable) {
  const SystemTree tree;
  tree.write("proc/meminfo", kMeminfo);
  const std::vector<MemoryBound> bounds = bounds_of(tree);
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].bytes, 600 * 1024);
  EXPECT_EQ(bounds[0].holder, "the machine");
  EXPECT_EQ(bounds[0].setting, "MemAvailable");
  EXPECT_FALSE(bounds[0].source.empty());
}

TEST(MemoryBounds, AreCommitmentsWhereTheMachineDoesNotOvercommit) {
  const SystemTree tree;
  tree.write("proc/meminfo", kMeminfo);
  for (const char* mode : {"0", "1", "rubbish"}) {
    tree.write("proc/sys/vm/overcommit_memory", mode);
    EXPECT_EQ(bounds_of(tree).size(), 1U) << mode;
  }
  tree.write("proc/sys/vm/overcommit_memory", "2\n");
  const std::vector<MemoryBound> bounds = bounds_of(tree);
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[1].bytes, 50 * 1024);
  EXPECT_EQ(bounds[1].kind, MemoryKind::mapped);
  EXPECT_NE(bounds[1].source, bounds[0].source);
  tree.write("proc/meminfo", "CommitLimit: 500 kB\nCommitted_AS: 501 kB\n");
  EXPECT_EQ(bounds_of(tree).front().bytes, 0);
}

TEST(MemoryBounds, AreWhatIsLeftOfTheLimitsOfTheProcess) {
  const SystemTree tree;
  tree.write("proc/self/status", "Name:\tfrond\nVmPeak:\t  90 kB\nVmSize:\t  80 kB\nVmData:\t  30 kB\n");
  EXPECT_TRUE(bounds_of(tree).empty());
  const std::vector<MemoryBound> bounds = bounds_of(tree, {.address_space = Count{100} * 1024, .data = Count{70} * 1024});
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0].bytes, 20 * 1024);
  EXPECT_EQ(bounds[0].setting, "RLIMIT_AS, ulimit -v");
  EXPECT_EQ(bounds[1].bytes, 40 * 1024);
  EXPECT_EQ(bounds[1].setting, "RLIMIT_DATA, ulimit -d");
  for (const MemoryBound& bound : bounds) {
    EXPECT_EQ(bound.kind, MemoryKind::mapped);
    EXPECT_EQ(bound.source, "") << "no other process takes from it";
  }
  EXPECT_EQ(bounds_of(tree, {.address_space = 1000, .data = kNoBound}).front().bytes, 0);
}

TEST(MemoryBounds, NeedNoFile) {
  const SystemTree tree;
  EXPECT_TRUE(bounds_of(tree).empty());
  EXPECT_EQ(bounds_of(tree, {.address_space = 1000, .data = kNoBound}).front().bytes, 1000);
  tree.write("proc/meminfo", "MemAvailable:\nMemAvailable: 99999999999999999 kB\nCommitLimit: x kB\n");
  tree.write("proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_TRUE(bounds_of(tree).empty());
}

TEST(MemoryBounds, AreOfOneMachineIfItWasStartedOnce) {
  const SystemTree tree;
  tree.write("proc/meminfo", kMeminfo);
  tree.write("proc/sys/kernel/random/boot_id", "9d9be731\n");
  tree.write("proc/self/cgroup", "0::/a\n");
  tree.write("proc/self/mountinfo", "35 24 0:30 / /groups rw - cgroup2 cgroup rw\n");
  tree.write("groups/a/memory.max", "1000");
  std::vector<MemoryBound> bounds = bounds_of(tree);
  ASSERT_EQ(bounds.size(), 2U);
  for (const MemoryBound& bound : bounds) {
    EXPECT_EQ(bound.source.find("9d9be731"), 0U) << bound.source;
    EXPECT_EQ(bound.source.find_first_of(" \n"), std::string::npos) << bound.source;
  }
}

TEST(MemoryBounds, OfThisMachineArePlausible) {
  const std::vector<MemoryBound> bounds = memory_bounds();
  EXPECT_TRUE(std::any_of(bounds.begin(), bounds.end(), [](const MemoryBound& bound) { return bound.holder == "the machine"; }));
  for (const MemoryBound& bound : bounds) {
    EXPECT_GT(bound.bytes, 0) << bound.holder;
    EXPECT_LT(bound.bytes, Count{1} << 60) << bound.holder;
  }
}

}  // namespace
}  // namespace frond::test
