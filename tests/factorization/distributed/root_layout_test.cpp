// SPDX-License-Identifier: BSD-3-Clause
// Tests the block cyclic distribution against dealing out the blocks one by one.
#include "factorization/distributed/root_layout.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace frond::test {
namespace {

// [part] = its indices, in order.
std::vector<std::vector<Index>> deal_out(Index size, Index block_size, Rank num_parts) {
  std::vector<std::vector<Index>> parts(static_cast<std::size_t>(num_parts));
  std::size_t part = 0;
  for (Index number = 0; number < size; ++number) {
    if (number > 0 && number % block_size == 0) {
      part = (part + 1) % parts.size();
    }
    parts[part].push_back(number);
  }
  return parts;
}

TEST(BlockCyclic, DealsBlocksOutInTurn) {
  for (const Index block_size : {1, 2, 3, 8}) {
    for (Rank num_parts = 1; num_parts <= 4; ++num_parts) {
      for (Index size = 0; size <= 40; ++size) {
        SCOPED_TRACE(::testing::Message() << size << " in blocks of " << block_size << " to " << num_parts);
        const BlockCyclic distribution(size, block_size, num_parts);
        const auto expected = deal_out(size, block_size, num_parts);
        for (Rank part = 0; part < num_parts; ++part) {
          const std::vector<Index>& numbers = expected[part];
          ASSERT_EQ(distribution.local_size(part), static_cast<Index>(numbers.size()));
          for (Index local = 0; local < static_cast<Index>(numbers.size()); ++local) {
            const Index number = numbers[local];
            ASSERT_EQ(distribution.owner(number), part);
            ASSERT_EQ(distribution.local(number), local);
            ASSERT_EQ(distribution.global(part, local), number);
          }
        }
      }
    }
  }
}

TEST(BlockCyclic, CountsUpToTheLargestIndex) {
  constexpr Index kLargest = std::numeric_limits<Index>::max();
  const BlockCyclic distribution(kLargest, 64, 3);  // 2^25 blocks, the last of which has 63: the parts have 2^25 / 3 each
  const Index last = kLargest - 1;
  const Rank part = distribution.owner(last);
  EXPECT_EQ(part, 33554431 % 3);
  EXPECT_EQ(distribution.global(part, distribution.local(last)), last);
  EXPECT_EQ(distribution.local(last) + 1, distribution.local_size(part));
  EXPECT_EQ(Count{distribution.local_size(0)} + distribution.local_size(1) + distribution.local_size(2), kLargest);
}

TEST(NumbersOf, NamesWhatBelongsToAPart) {
  const BlockCyclic distribution(20, 3, 2);  // part 0: 0-2, 6-8, 12-14, 18-19
  const std::vector<Index> positions = {0, 2, 3, 7, 9, 11, 12, 17, 19};
  EXPECT_EQ(numbers_of(distribution, 0, positions), (std::vector<Index>{0, 1, 3, 6, 8}));
  EXPECT_EQ(numbers_of(distribution, 1, positions), (std::vector<Index>{2, 4, 5, 7}));
  EXPECT_EQ(numbers_of(distribution, 1, {}), std::vector<Index>{});
}

TEST(RootLayout, HoldsEveryEntryOnce) {
  for (const GridShape shape : {GridShape{1, 1}, GridShape{1, 3}, GridShape{2, 1}, GridShape{2, 3}}) {
    for (const Index order : {0, 1, 5, 23}) {
      SCOPED_TRACE(::testing::Message() << "order " << order << " on " << shape.num_rows << " x " << shape.num_cols);
      const RootLayout layout(order, 4, shape);
      std::vector<std::vector<int>> uses(static_cast<std::size_t>(shape.size()));
      for (Rank rank = 0; rank < shape.size(); ++rank) {
        EXPECT_EQ(layout.grid_rank(layout.position(rank)), rank);
        uses[rank].resize(static_cast<std::size_t>(layout.num_entries(layout.position(rank))));
      }
      for (Index col = 0; col < order; ++col) {
        for (Index row = 0; row < order; ++row) {
          ++uses[layout.grid_rank(layout.owner(row, col))].at(static_cast<std::size_t>(layout.offset(row, col)));
        }
      }
      for (const std::vector<int>& of_rank : uses) {
        EXPECT_EQ(of_rank, std::vector<int>(of_rank.size(), 1));
      }
    }
  }
}

TEST(RootLayout, CountsEntriesWithSixtyFourBits) {
  const RootLayout layout(200000, 64, {2, 1});
  EXPECT_EQ(layout.num_entries({0, 0}), Count{100032} * 200000);  // 3125 blocks, 1563 of them here
  EXPECT_EQ(layout.offset(199999, 199999), Count{199999} * 100032 + 100031);
}

TEST(RootPart, GoesToTheWholeAndBack) {
  const RootLayout layout(13, 3, {2, 2});
  std::vector<double> whole(std::size_t{13} * 13);
  std::iota(whole.begin(), whole.end(), 1.0);
  std::vector<double> copy(whole.size(), 0.0);
  for (Rank rank = 0; rank < 4; ++rank) {
    std::vector<double> entries(static_cast<std::size_t>(layout.num_entries(layout.position(rank))));
    const RootPart<double> part{layout, layout.position(rank), entries.data()};
    copy_from_whole(whole.data(), part);
    for (Index row = 0; row < 13; ++row) {
      if (layout.owner(row, 7) == part.position) {
        EXPECT_EQ(entries[layout.offset(row, 7)], row + 7 * 13 + 1);
      }
    }
    copy_to_whole(part, copy.data());
  }
  EXPECT_EQ(copy, whole);
}

}  // namespace
}  // namespace frond::test
