// SPDX-License-Identifier: BSD-3-Clause
// Tests finding processors, sharing them, and binding threads to them.
#include "loadinfo/messages/processors.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace frond::test {
namespace {

TEST(Processors, AllThreadsKeepToThem) {
  const std::vector<int> all = usable_processors();
  ASSERT_FALSE(all.empty());
  const std::vector<int> last{all.back()};
  std::promise<void> kept;
  std::thread older([&last, is_kept = kept.get_future()]() mutable {
    is_kept.wait();
    EXPECT_EQ(usable_processors(), last);
  });
  EXPECT_TRUE(keep_to_processors(last));
  kept.set_value();
  older.join();
  EXPECT_EQ(usable_processors(), last);
  std::thread([&last] { EXPECT_EQ(usable_processors(), last); }).join();
  EXPECT_TRUE(keep_to_processors(all));
  EXPECT_EQ(usable_processors(), all);
}

TEST(Processors, WhatDoesNotExistIsRefused) {
  const std::vector<int> all = usable_processors();
  EXPECT_FALSE(keep_to_processors({}));
  EXPECT_FALSE(keep_to_processors(std::vector<int>{1000000}));
  EXPECT_EQ(usable_processors(), all);
}

TEST(Processors, AreSharedEqually) {
  const std::vector<int> processors{1, 3, 4, 8, 9};
  const auto share = [&](int num_sharing, int index) {
    const std::span<const int> part = share_of_processors(processors, num_sharing, index);
    return std::vector<int>(part.begin(), part.end());
  };
  EXPECT_EQ(share(1, 0), processors);
  EXPECT_EQ(share(2, 0), (std::vector<int>{1, 3}));
  EXPECT_EQ(share(2, 1), (std::vector<int>{4, 8}));
  EXPECT_EQ(share(5, 4), std::vector<int>{9});
  EXPECT_TRUE(share(6, 5).empty());
}

}  // namespace
}  // namespace frond::test
