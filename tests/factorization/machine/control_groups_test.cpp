// SPDX-License-Identifier: BSD-3-Clause
// Tests groups of both versions, nested, in namespaces and with missing or broken files.
#include "factorization/machine/control_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/matrices/system_tree.hpp"

namespace frond::test {
namespace {

constexpr const char* kMount2 = "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kMount1 = "36 25 0:33 / /sys/fs/cgroup/memory rw,nosuid shared:16 - cgroup cgroup rw,memory\n";

/// A machine whose groups are mounted as mountinfo says, with a process in the group that proc/self/cgroup names.
class Groups : public ::testing::Test {
 protected:
  void enter(const std::string& cgroup, const std::string& mountinfo) const {
    tree_.write("proc/self/cgroup", cgroup);
    tree_.write("proc/self/mountinfo", "24 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + mountinfo);
  }
  void write2(const std::string& group, const std::string& file, const std::string& text) const {
    tree_.write("sys/fs/cgroup" + group + '/' + file, text);
  }
  void limit2(const std::string& group, const std::string& max, const std::string& used) const {
    write2(group, "memory.max", max);
    write2(group, "memory.current", used);
  }
  void limit1(const std::string& group, const std::string& limit, const std::string& used) const {
    tree_.write("sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes", limit);
    tree_.write("sys/fs/cgroup/memory" + group + "/memory.usage_in_bytes", used);
  }

  [[nodiscard]] std::vector<MemoryBound> bounds() const { return control_group_bounds(tree_.root()); }
  [[nodiscard]] MemoryBound least() const {
    const std::vector<MemoryBound> all = bounds();
    const auto found =
        std::min_element(all.begin(), all.end(), [](const MemoryBound& a, const MemoryBound& b) { return a.bytes < b.bytes; });
    return found == all.end() ? MemoryBound{} : *found;
  }
  void expect_least(Count bytes, const std::string& group, const std::string& setting = "memory.max") const {
    EXPECT_EQ(least().bytes, bytes);
    EXPECT_EQ(least().holder, "the control group " + group);
    EXPECT_EQ(least().setting, setting);
  }

  SystemTree tree_;
};

TEST_F(Groups, LimitAProcessByItsOwn) {
  enter("0::/a/b\n", kMount2);
  limit2("/a/b", "1000", "300");
  limit2("/a/c", "10", "0");  // another group
  ASSERT_EQ(bounds().size(), 1U);
  expect_least(700, "/a/b");
  EXPECT_EQ(least().kind, MemoryKind::resident);
}

TEST_F(Groups, LimitAProcessByEveryAncestor) {
  enter("0::/a/b\n", kMount2);
  limit2("", "5000", "4000");
  limit2("/a", "2000", "1900");
  limit2("/a/b", "1000", "300");
  EXPECT_EQ(bounds().size(), 3U);
  expect_least(100, "/a");
  limit2("", "5000", "4999");
  expect_least(1, "/");
}

TEST_F(Groups, AreSlowedDownBeforeTheyAreFull) {
  enter("0::/a\n", kMount2);
  limit2("/a", "1000", "300");
  write2("/a", "memory.high", "800");
  expect_least(500, "/a", "memory.high");
  write2("/a", "memory.max", "max");
  EXPECT_EQ(least().bytes, 500);
  write2("/a", "memory.high", "max");
  EXPECT_TRUE(bounds().empty());
}

TEST_F(Groups, CanDropFilePagesThatNobodyHasTouchedForAWhile) {
  enter("0::/a\n", kMount2);
  limit2("/a", "1000", "700");
  write2("/a", "memory.stat", "anon 100\ninactive_anon 50\ninactive_file 400\nactive_file 200\n");
  EXPECT_EQ(least().bytes, 700);
  write2("/a", "memory.stat", "inactive_file 900\n");  // read after the usage
  EXPECT_EQ(least().bytes, 1000);
}

TEST_F(Groups, NeverHaveLessThanNothing) {
  enter("0::/a\n", kMount2);
  limit2("/a", "1000", "1200");
  expect_least(0, "/a");
}

TEST_F(Groups, OfVersion1HaveFilesOfOtherNames) {
  enter("5:cpu,cpuacct:/x\n4:hugetlb,memory:/a/b\n1:name=systemd:/y\n", kMount1);
  limit1("", "9223372036854771712", "500");
  limit1("/a", "2000", "1950");
  limit1("/a/b", "1000", "300");
  tree_.write("sys/fs/cgroup/memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 150\n");
  EXPECT_EQ(bounds().size(), 2U);
  expect_least(200, "/a", "memory.limit_in_bytes");
}

TEST_F(Groups, OfBothVersionsCanBeThereTogether) {
  const std::string unified = "41 31 0:38 / /sys/fs/cgroup/unified rw shared:1 shared:2 - cgroup2 cgroup2 rw\n";
  const std::string cpu = "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
  enter("4:memory:/a\n0::/c\n", cpu + kMount1 + unified);
  limit1("/a", "1000", "300");
  tree_.write("sys/fs/cgroup/cpu/a/memory.limit_in_bytes", "1");
  ASSERT_EQ(bounds().size(), 1U);
  EXPECT_EQ(least().bytes, 700);
  tree_.write("sys/fs/cgroup/unified/c/memory.max", "600");
  EXPECT_EQ(bounds().size(), 2U);
  expect_least(600, "/c");
}

TEST_F(Groups, AreSeenFromTheTopOfTheirMount) {
  enter("0::/box/7/job\n", "35 24 0:30 /box/7 /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
  limit2("", "1000", "300");
  limit2("/job", "2000", "300");
  limit2("/box/7/job", "1", "0");  // the name of the job's group as seen from outside
  EXPECT_EQ(bounds().size(), 2U);
  expect_least(700, "/box/7");
}

TEST_F(Groups, AreSeenThroughTheMountThatShowsThem) {
  enter("0::/box/77\n",
        "35 24 0:30 /box/7 /first rw - cgroup2 cgroup rw\n36 24 0:30 /box/77 /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
  tree_.write("first/memory.max", "1");
  limit2("", "1000", "300");
  expect_least(700, "/box/77");
}

TEST_F(Groups, AboveTheNamespaceAreAncestorsAllTheSame) {
  enter("0::/\n", "35 24 0:30 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
  limit2("", "1000", "300");
  EXPECT_EQ(least().bytes, 700);
  enter("0::/../../x\n", "35 24 0:30 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
  limit2("/x", "500", "300");
  EXPECT_EQ(bounds().size(), 2U);
  EXPECT_EQ(least().bytes, 200);
}

TEST_F(Groups, ThatCannotBeSeenLimitNothing) {
  for (const char* group : {"0::/../x\n", "0::/b\n", "0::/\n"}) {
    enter(group, "35 24 0:30 /a /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
    limit2("", "1000", "300");
    EXPECT_TRUE(bounds().empty()) << group;
  }
  enter("0::/../x\n", kMount2);
  EXPECT_TRUE(bounds().empty());
  enter("0::/../../x\n", "35 24 0:30 /.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n");  // outside what is mounted
  EXPECT_TRUE(bounds().empty());
  enter("0::/\n", "35 24 0:30 /../y /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
  EXPECT_TRUE(bounds().empty());
}

TEST_F(Groups, AreMountedInFoldersWithBlanks) {
  enter("0::/a\n", "35 24 0:30 / /my\\040groups rw - cgroup2 cgroup rw\n");
  tree_.write("my groups/a/memory.max", "77");
  EXPECT_EQ(least().bytes, 77);
}

TEST_F(Groups, HaveNamesWithColons) {
  enter("0::/a:b\n", kMount2);
  limit2("/a:b", "1000", "300");
  expect_least(700, "/a:b");
}

TEST_F(Groups, WithoutUsageHaveTheirLimitAtMost) {
  enter("0::/a\n", kMount2);
  write2("/a", "memory.max", "1000");
  EXPECT_EQ(least().bytes, 1000);
  write2("/a", "memory.current", "rubbish");
  write2("/a", "memory.stat", "inactive_file\n");
  EXPECT_EQ(least().bytes, 1000);
}

TEST_F(Groups, WithBrokenFilesLimitNothing) {
  EXPECT_TRUE(bounds().empty());
  for (const char* cgroup : {"", "rubbish", "0:", "0:::", "::\n\n", "4:memory\n"}) {
    for (const char* mountinfo : {"rubbish\n", "35 24 0:30 /\n", "35 24 0:30 / /sys/fs/cgroup rw - cgroup2\n", "- - - -\n"}) {
      enter(cgroup, mountinfo);
      EXPECT_TRUE(bounds().empty()) << cgroup << mountinfo;
    }
  }
  enter("0::/a\n", kMount2);
  limit2("/a", "rubbish", "300");
  EXPECT_TRUE(bounds().empty());
}

TEST_F(Groups, AreTheSameForAllThatAreInThem) {
  enter("0::/a/b\n", kMount2);
  limit2("/a", "1000", "300");
  limit2("/a/b", "1000", "300");
  const std::vector<MemoryBound> one = bounds();
  enter("0::/a/c\n", kMount2);
  limit2("/a/c", "1000", "300");
  const std::vector<MemoryBound> other = bounds();
  ASSERT_EQ(one.size(), 2U);
  ASSERT_EQ(other.size(), 2U);
  EXPECT_NE(one[0].source, other[0].source);
  EXPECT_EQ(one[1].source, other[1].source);
}

}  // namespace
}  // namespace frond::test
