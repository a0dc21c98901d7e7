// SPDX-License-Identifier: BSD-3-Clause
// Reads lists while they are being replaced.
#include "solver/storage/checkpoint/checkpoint_list.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(CheckpointLists, AreReadWhileTheyAreReplaced) {
  const testing::ScratchFolder folder;
  const std::string directory = folder.path(".");
  constexpr Index kNumLists = 300;
  ASSERT_TRUE(seal(directory, {.run = 1, .number = 0, .key = 7, .logs = {}}));
  std::jthread sealer([&directory] {
    for (Index number = 1; number <= kNumLists; ++number) {
      EXPECT_TRUE(seal(directory, {.run = 1, .number = number, .key = 7, .logs = {}}));
    }
  });
  Index last = 0;
  int num_read = 0;
  for (; last < kNumLists; ++num_read) {
    const std::optional<CheckpointList> list = last_list(directory);
    EXPECT_TRUE(list && list->number >= last) << "after " << num_read << " reads";
    if (!list) {
      break;
    }
    last = list->number;
  }
  sealer.join();
  EXPECT_GT(num_read, 0);
  EXPECT_EQ(folder.num_files(), 1);
}

TEST(CheckpointLists, AreSealedOnce) {
  const testing::ScratchFolder folder;
  const CheckpointList list{.run = 1, .number = 3, .key = 7, .logs = {{"run-1.rank-0", 1, 40, true}}};
  EXPECT_EQ(last_list(folder.path(".")), std::nullopt);
  EXPECT_TRUE(seal(folder.path("."), list));
  EXPECT_FALSE(seal(folder.path("."), {.run = 1, .number = 3, .key = 8, .logs = {}}));
  EXPECT_EQ(last_list(folder.path(".")), list);
}

}  // namespace
}  // namespace frond
