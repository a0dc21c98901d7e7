// SPDX-License-Identifier: BSD-3-Clause
// Tests reading numbers from files, and words that are not numbers.
#include "factorization/machine/system_file.hpp"

#include <gtest/gtest.h>

#include "tests/support/matrices/system_tree.hpp"

namespace frond::test {
namespace {

TEST(SystemFile, HoldsANumber) {
  const SystemTree tree;
  tree.write("limit", "1073741824\n");
  EXPECT_EQ(read_number(tree.root() / "limit"), Count{1} << 30);
  tree.write("limit", "0");
  EXPECT_EQ(read_number(tree.root() / "limit"), 0);
}

TEST(SystemFile, HoldsNone) {
  const SystemTree tree;
  EXPECT_EQ(read_number(tree.root() / "missing"), std::nullopt);
  for (const char* text : {"", "max", "12x", "-1", "1.5", "99999999999999999999"}) {
    tree.write("limit", text);
    EXPECT_EQ(read_number(tree.root() / "limit"), std::nullopt) << text;
  }
}

TEST(SystemFile, HasEntries) {
  const SystemTree tree;
  tree.write("entries", "inactive_file_pages 1\n\nno_number\ninactive_file 4096\nMemAvailable:   17 kB\nbad: x\n");
  EXPECT_EQ(read_entry(tree.root() / "entries", "inactive_file"), 4096);
  EXPECT_EQ(read_entry(tree.root() / "entries", "MemAvailable:"), 17);
  for (const char* key : {"inactive", "no_number", "bad:", "kB"}) {
    EXPECT_EQ(read_entry(tree.root() / "entries", key), std::nullopt) << key;
  }
  EXPECT_EQ(read_entry(tree.root() / "missing", "inactive_file"), std::nullopt);
}

}  // namespace
}  // namespace frond::test
