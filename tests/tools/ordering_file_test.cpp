// SPDX-License-Identifier: BSD-3-Clause
#include "tools/ordering_file.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "matrices/error.hpp"
#include "scratch_folder.hpp"

namespace frond {
namespace {

TEST(OrderingFile, ComesBackAsItWasWritten) {
  const testing::ScratchFolder folder;
  const std::vector<Index> perm{2, 0, 1};
  write_ordering(folder.path("order"), perm);
  EXPECT_EQ(folder.read("order"), "3\n1\n2\n");
  const OrderingOptions options = parse_ordering(folder.path("order"));
  EXPECT_EQ(options.kind, OrderingKind::given);
  EXPECT_EQ(options.perm, perm);
}

TEST(OrderingFile, MayHaveLineEndsOfDosAndBlankLines) {
  const testing::ScratchFolder folder;
  EXPECT_EQ(parse_ordering(folder.write("order", "2\r\n\r\n1\r\n")).perm, (std::vector<Index>{1, 0}));
}

TEST(OrderingFile, NamesTheLineThatIsWrong) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("order", "2\n0\n");
  try {
    (void)parse_ordering(path);
    FAIL() << "0 was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2);
  }
  EXPECT_THROW((void)parse_ordering(folder.write("words", "one\n")), InputError);
  EXPECT_THROW((void)parse_ordering("minimal-degree"), InputError) << "neither a kind nor a file";
}

TEST(OrderingKinds, HaveTheNamesTheyAreAskedForBy) {
  for (const OrderingKind kind : {OrderingKind::automatic, OrderingKind::metis, OrderingKind::amd, OrderingKind::natural}) {
    EXPECT_EQ(parse_ordering(to_string(kind)).kind, kind);
  }
}

}  // namespace
}  // namespace frond
