// SPDX-License-Identifier: BSD-3-Clause
// Tests that output files appear complete or not at all.
#include "tools/program/process/atomic_output.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "frond/error.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(AtomicOutput, ReplacesAFile) {
  const testing::ScratchFolder folder;
  folder.write("file", "old");
  write_text(folder.path("file"), "new");
  EXPECT_EQ(folder.read("file"), "new");
  EXPECT_EQ(folder.num_files(), 1) << "a temporary was left";
}

TEST(AtomicOutput, LeavesTheOldFileWhenWritingFails) {
  const testing::ScratchFolder folder;
  folder.write("file", "old");
  const auto fail_halfway = [](const std::string& name) {
    write_text(name, "half");
    throw OutputError("the disk is full");
  };
  EXPECT_THROW(write_atomically(folder.path("file"), fail_halfway), OutputError);
  EXPECT_EQ(folder.read("file"), "old");
  EXPECT_EQ(folder.num_files(), 1) << "a temporary was left";
}

TEST(AtomicOutput, FollowsSymbolicLinks) {
  const testing::ScratchFolder folder;
  folder.write("target", "old");
  std::filesystem::create_symlink("target", folder.path("link"));
  write_text(folder.path("link"), "new");
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
}

TEST(AtomicOutput, SaysWhyItCannotWrite) {
  const testing::ScratchFolder folder;
  EXPECT_THROW(write_text(folder.path(""), "text"), OutputError) << "a directory";
  EXPECT_THROW(write_text(folder.path("missing/file"), "text"), OutputError);
  EXPECT_THROW(write_text("/dev/full", "text"), OutputError);
}

}  // namespace
}  // namespace frond
