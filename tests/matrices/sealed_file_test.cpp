// SPDX-License-Identifier: BSD-3-Clause
// Tests that the first of several threads that seal a file wins, and that no other file is left.
#include "matrices/sealed_file.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "frond/error.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/run_threads.hpp"

namespace frond {
namespace {

TEST(SealedFile, IsThatOfTheFirst) {
  const testing::ScratchFolder folder;
  for (int k = 0; k < 20; ++k) {
    std::atomic<int> num_first = 0;
    std::atomic<int> first = -1;
    testing::run_threads(6, [&](int who) {
      if (seal_file(folder.path("file." + std::to_string(k)), std::string(1000, static_cast<char>('a' + who)))) {
        ++num_first;
        first = who;
      }
    });
    EXPECT_EQ(num_first, 1);
    EXPECT_EQ(folder.read("file." + std::to_string(k)), std::string(1000, static_cast<char>('a' + first)));
  }
  EXPECT_EQ(folder.num_files(), 20);
}

TEST(SealedFile, SaysWhereItCannotBe) {
  const testing::ScratchFolder folder;
  EXPECT_THROW((void)seal_file(folder.path("nowhere") + "/file", "text"), OutputError);
}

}  // namespace
}  // namespace frond
