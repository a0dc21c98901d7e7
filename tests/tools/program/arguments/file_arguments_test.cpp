// SPDX-License-Identifier: BSD-3-Clause
// Tests output files that cannot be created or would replace an input or another output.
#include "tools/program/arguments/file_arguments.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(FileArguments, MayBeNewFilesOldFilesDevicesAndMissing) {
  const testing::ScratchFolder folder;
  const std::string old = folder.write("old", "text");
  EXPECT_NO_THROW(check_file_arguments({{"the matrix", folder.path("A")}, {"--rhs", ""}},
                                       {{"--json", folder.path("new")}, {"--out", old}, {"--write-ordering", ""}}));
  EXPECT_NO_THROW(check_file_arguments({{"the matrix", "/dev/null"}}, {{"--json", "/dev/null"}, {"--out", "/dev/null"}}));
  EXPECT_EQ(folder.num_files(), 1) << "a check left a file";
}

TEST(FileArguments, RefuseOutputsThatCannotBeCreated) {
  const testing::ScratchFolder folder;
  EXPECT_THROW(check_file_arguments({}, {{"--out", folder.path("missing/x")}}), OutputError);
  EXPECT_THROW(check_file_arguments({}, {{"--out", folder.path("")}}), OutputError);
  EXPECT_THROW(check_file_arguments({}, {{"--out", "-"}}), UsageError);
  EXPECT_NO_THROW(check_file_arguments({}, {{"--out", folder.path(std::string(300, 'x'))}})) << "whoever writes refuses it";
}

TEST(FileArguments, RefuseToReplaceAnInputUnderAnyName) {
  const testing::ScratchFolder folder;
  const std::string matrix = folder.write("A", "text");
  std::filesystem::create_symlink(matrix, folder.path("link"));
  for (const std::string& name : {matrix, folder.path("link"), folder.path("./A")}) {
    EXPECT_THROW(check_file_arguments({{"--rhs", ""}, {"the matrix", matrix}}, {{"--out", name}}), UsageError) << name;
  }
}

TEST(FileArguments, RefuseTwoOutputsInOneFile) {
  const testing::ScratchFolder folder;
  EXPECT_THROW(check_file_arguments({}, {{"--json", folder.path("new")}, {"--out", folder.path("new")}}), UsageError);
}

TEST(CheckRoom, RefusesWhatIsMoreThanIsLeft) {
  const testing::ScratchFolder folder;
  EXPECT_NO_THROW(check_room({"--out", folder.path("x")}, 1));
  EXPECT_NO_THROW(check_room({"--out", ""}, Count{1} << 62));
  EXPECT_NO_THROW(check_room({"--out", "/dev/null"}, Count{1} << 62));
  const auto error = testing::error_of<OutputError>([&] { check_room({"--out", folder.path("x")}, Count{1} << 62); });
  EXPECT_NE(std::string(error.what()).find("--out: " + folder.path("x") + " will take about "), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find(" left; make room, or name another folder"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace frond
