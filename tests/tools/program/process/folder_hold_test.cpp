// SPDX-License-Identifier: BSD-3-Clause
// Tests that abandoned folders are removed, and no others.
#include "tools/program/process/folder_hold.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

class FolderHolds : public ::testing::Test {
 protected:
  // Makes a folder of this age with a file in it.
  std::string make(const std::string& name, std::chrono::seconds age) {
    std::string path = folder_.path(name);
    fs::create_directory(path);
    std::ofstream(path + "/file") << "words";
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    return path;
  }
  void remove_abandoned() { remove_abandoned_folders(folder_.path("."), "run"); }

  testing::ScratchFolder folder_;
};

constexpr std::chrono::hours kOld(1);

TEST_F(FolderHolds, GoWithTheLastOfThem) {
  const std::string path = make("run-1", kOld);
  auto first = std::make_unique<FolderHold>(path);
  auto second = std::make_unique<FolderHold>(path);
  remove_abandoned();
  EXPECT_TRUE(fs::exists(path + "/file"));
  first.reset();
  remove_abandoned();
  EXPECT_TRUE(fs::exists(path + "/file"));
  second.reset();
  remove_abandoned();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(FolderHolds, GoWithAProcessThatIsKilled) {
  const std::string path = make("run-1", kOld);
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderHold hold(path);
    (void)!write(ready[1], "x", 1);
    for (;;) {
      pause();
    }
  }
  char word = 0;
  ASSERT_EQ(read(ready[0], &word, 1), 1);
  remove_abandoned();
  EXPECT_TRUE(fs::exists(path));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  remove_abandoned();
  EXPECT_FALSE(fs::exists(path));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(FolderHolds, LeaveYoungFoldersOthersNamesAndLinksAlone) {
  const std::string young = make("run-1", std::chrono::seconds(0));
  const std::string other = make("walk-1", kOld);
  fs::create_directory_symlink(other, folder_.path("run-2"));
  remove_abandoned();
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(other + "/file"));
  EXPECT_TRUE(fs::is_symlink(folder_.path("run-2")));
  remove_abandoned_folders(folder_.path("there is none"), "run");
}

}  // namespace
}  // namespace frond
