// SPDX-License-Identifier: BSD-3-Clause
// Tests what is written first, and how long memory waits.
#include "solver/storage/checkpoint/log_queue.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

struct Piece {
  LogKey key;
};

constexpr LogKey kFactor{StoredKind::factor, 1};
constexpr LogKey kBlock1{StoredKind::block, 1};
constexpr LogKey kBlock2{StoredKind::block_rows, 2};

TEST(LogQueue, TakesBlocksFirstAndInPostorder) {
  LogQueue<Piece> queue;
  queue.push({kFactor});
  queue.push({kBlock2});
  queue.push({kBlock1});
  for (const LogKey& expected : {kBlock1, kBlock2, kFactor}) {
    EXPECT_TRUE(queue.is_pending(expected) || !is_block(expected.kind));
    EXPECT_EQ(queue.begin().key, expected);
    EXPECT_TRUE(queue.is_pending(expected));
    EXPECT_FALSE(queue.is_idle());
    queue.end(true);
    EXPECT_FALSE(queue.is_pending(expected));
  }
  EXPECT_TRUE(queue.is_idle());
  EXPECT_EQ(queue.num_dropped(), 0);
}

TEST(LogQueue, CountsADroppedBlockOnce) {
  LogQueue<Piece> queue;
  queue.push({kBlock1});
  queue.push({kBlock2});
  const LogKey first = queue.begin().key;
  queue.drop(kBlock2);  // is waiting
  EXPECT_FALSE(queue.is_pending(kBlock2));
  EXPECT_FALSE(queue.is_dropped());
  queue.drop(first);  // is being written
  EXPECT_TRUE(queue.is_dropped());
  EXPECT_TRUE(queue.is_pending(first));
  queue.end(false);
  EXPECT_EQ(queue.num_dropped(), 2);
  queue.push({kFactor});
  EXPECT_EQ(queue.begin().key, kFactor);
  EXPECT_FALSE(queue.is_dropped());
}

TEST(LogQueue, LetsNobodyWaitForMoreThanAFiftiethOfTheTime) {
  LogQueue<Piece> queue;
  EXPECT_TRUE(queue.may_wait(0.04, 0));
  EXPECT_FALSE(queue.may_wait(0.06, 0));
  EXPECT_TRUE(queue.may_wait(2, 100));
  queue.count_wait(1.5);
  EXPECT_FALSE(queue.may_wait(0.6, 100));
  EXPECT_TRUE(queue.may_wait(0.5, 100));
}

}  // namespace
}  // namespace frond
