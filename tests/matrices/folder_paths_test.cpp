// SPDX-License-Identifier: BSD-3-Clause
// Tests folders that exist, and others.
#include "matrices/folder_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(FolderPaths, AreAllThatIsThere) {
  const testing::ScratchFolder folder;
  for (const char* name : {"b", "a", ".c"}) {
    folder.write(name, "");
  }
  std::error_code error;
  std::vector<std::filesystem::path> paths = paths_in(folder.path(""), error);
  std::sort(paths.begin(), paths.end());
  EXPECT_FALSE(error);
  EXPECT_EQ(paths, (std::vector<std::filesystem::path>{folder.path(".c"), folder.path("a"), folder.path("b")}));
}

TEST(FolderPaths, SayWhyThereAreNone) {
  const testing::ScratchFolder folder;
  std::error_code error;
  EXPECT_TRUE(paths_in(folder.path("missing"), error).empty());
  EXPECT_EQ(error, std::errc::no_such_file_or_directory);
  EXPECT_TRUE(paths_in(folder.write("file", ""), error).empty());
  EXPECT_EQ(error, std::errc::not_a_directory);
}

}  // namespace
}  // namespace frond
