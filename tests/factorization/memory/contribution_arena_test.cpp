// SPDX-License-Identifier: BSD-3-Clause
// Tests the arena against a list of taken pieces: no overlap, gaps merged, stacks as low as the sequential peak.
#include "factorization/memory/contribution_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/matrices/random_tree.hpp"

namespace frond::test {
namespace {

using End = ContributionArena::End;
using Piece = ContributionArena::Piece;

// Returns where the arena's own region lies, by taking a piece of its whole capacity.
std::byte* region_begin(ContributionArena& arena, Count capacity) {
  const Piece all = arena.take(capacity, End::low);
  arena.give_back(all);
  return all.data;
}

bool lies_inside(const Piece& piece, const std::byte* begin, Count capacity) {
  return piece.data >= begin && piece.data + piece.bytes <= begin + capacity;
}

TEST(ContributionArena, GivesAlignedPiecesFromBothEnds) {
  MemoryMeter meter(0);
  RegionPool regions(0);
  ContributionArena arena(640, meter, regions);
  std::byte* begin = region_begin(arena, 640);
  const Piece low = arena.take(1, End::low);
  const Piece high = arena.take(65, End::high);
  EXPECT_EQ(low.data, begin);
  EXPECT_EQ(low.bytes, 64);
  EXPECT_EQ(high.data, begin + 640 - 128);
  EXPECT_EQ(high.bytes, 128);
  EXPECT_EQ(meter.current(), 192);
}

TEST(ContributionArena, GivesNothingForNothing) {
  MemoryMeter meter(0);
  RegionPool regions(0);
  ContributionArena arena(0, meter, regions);
  const Piece piece = arena.take(0, End::low);
  EXPECT_EQ(piece.data, nullptr);
  arena.give_back(piece);
  EXPECT_EQ(meter.peak(), 0);
}

TEST(ContributionArena, TakesAPieceOutsideWhenNoGapFits) {
  MemoryMeter meter(0);
  RegionPool regions(0);
  ContributionArena arena(128, meter, regions);
  std::byte* begin = region_begin(arena, 128);
  const Piece inside = arena.take(100, End::low);
  const Piece outside = arena.take(100, End::high);
  EXPECT_TRUE(lies_inside(inside, begin, 128));
  EXPECT_FALSE(lies_inside(outside, begin, 128));
  std::memset(outside.data, 1, static_cast<std::size_t>(outside.bytes));
  EXPECT_EQ(meter.current(), 256);
  arena.give_back(outside);
  EXPECT_EQ(meter.current(), 128);
  arena.give_back(inside);
  EXPECT_EQ(region_begin(arena, 128), begin);
}

TEST(ContributionArena, RefusesWhatPassesTheLimit) {
  MemoryMeter meter(192);
  RegionPool regions(0);
  ContributionArena arena(128, meter, regions);
  const Piece piece = arena.take(128, End::low);
  EXPECT_THROW((void)arena.take(65, End::low), MemoryError);
  EXPECT_EQ(meter.current(), 128);
  arena.give_back(arena.take(64, End::low));
  arena.give_back(piece);
  EXPECT_EQ(meter.current(), 0);
}

// The system returns pages as zeros: 4 MB that were written stay if 8 MB are free, and go if only 2 MB are.
TEST(ContributionArena, ReturnsIdlePagesWhereTheLimitHasNoRoomForThem) {
  constexpr Count kSize = Count{4} << 20;
  for (const bool is_scarce : {false, true}) {
    MemoryMeter meter(2 * kSize);
    RegionPool regions(0);
    ContributionArena arena(2 * kSize, meter, regions);
    const Piece written = arena.take(kSize, End::low);
    std::memset(written.data, 1, static_cast<std::size_t>(kSize));
    arena.give_back(written);
    const Count elsewhere = is_scarce ? kSize / 2 * 3 : 0;
    meter.charge(elsewhere);
    meter.release(elsewhere);
    const Piece again = arena.take(kSize, End::low);
    ASSERT_EQ(again.data, written.data);
    const auto is_written = [](std::byte byte) { return byte == std::byte{1}; };
    EXPECT_EQ(std::any_of(again.data, again.data + kSize, is_written), !is_scarce);
  }
}

TEST(ContributionArena, CountsNothingForAPieceThatTheSystemRefuses) {
  MemoryMeter meter(0);
  RegionPool regions(0);
  ContributionArena arena(64, meter, regions);
  EXPECT_THROW((void)arena.take(Count{1} << 60, End::low), MemoryError);
  EXPECT_EQ(meter.current(), 0);
}

// Pieces are filled with their number, and must still hold it when they are given back.
TEST(ContributionArena, PiecesNeverOverlapAndGapsMerge) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    constexpr Count kCapacity = Count{64} * 200;
    std::mt19937 random(seed);
    MemoryMeter meter(0);
    RegionPool regions(0);
    ContributionArena arena(kCapacity, meter, regions);
    std::byte* begin = region_begin(arena, kCapacity);
    struct Taken {
      Piece piece;
      unsigned char mark;
    };
    std::vector<Taken> taken;
    Count held = 0;
    const auto give_back = [&](std::size_t index) {
      const Taken& back = taken[index];
      EXPECT_TRUE(std::all_of(back.piece.data, back.piece.data + back.piece.bytes,
                              [&](std::byte byte) { return std::to_integer<unsigned char>(byte) == back.mark; }));
      held -= back.piece.bytes;
      arena.give_back(back.piece);
      taken.erase(taken.begin() + index);
    };
    for (int step = 0; step < 300; ++step) {
      if (!taken.empty() && std::bernoulli_distribution(0.45)(random)) {
        give_back(std::uniform_int_distribution<std::size_t>(0, taken.size() - 1)(random));
      } else {
        const Count bytes = std::uniform_int_distribution<Count>(1, Count{64} * 30)(random);
        const Piece piece = arena.take(bytes, std::bernoulli_distribution(0.5)(random) ? End::low : End::high);
        ASSERT_GE(piece.bytes, bytes);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(piece.data) % 64, 0U);
        const auto mark = static_cast<unsigned char>(step);
        std::memset(piece.data, mark, static_cast<std::size_t>(piece.bytes));
        taken.push_back({piece, mark});
        held += piece.bytes;
      }
      ASSERT_EQ(meter.current(), held);
    }
    while (!taken.empty()) {
      give_back(taken.size() - 1);
    }
    EXPECT_EQ(region_begin(arena, kCapacity), begin);
  }
}

TEST(ContributionArena, ATreeInPostorderNeedsNoMoreThanItsPeak) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const AssemblyTree tree = random_tree(100, 20, seed);
    const auto bytes = [&](NodeId node) { return Count{8} * tree.cb_order(node) * tree.cb_order(node); };
    Count now = 0;
    Count peak = 0;
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      now += ContributionArena::rounded(bytes(node));
      peak = std::max(peak, now);
      for (const NodeId child : tree.children(node)) {
        now -= ContributionArena::rounded(bytes(child));
      }
    }
    MemoryMeter meter(0);
    RegionPool regions(0);
    ContributionArena arena(peak, meter, regions);
    std::byte* begin = peak > 0 ? region_begin(arena, peak) : nullptr;
    std::vector<Piece> pieces(static_cast<std::size_t>(tree.num_nodes()));
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      Piece& piece = pieces[node];
      piece = arena.take(bytes(node), ContributionArena::end_for_depth(tree.depth(node)));
      ASSERT_TRUE(piece.data == nullptr || lies_inside(piece, begin, peak)) << "node " << node;
      for (const NodeId child : tree.children(node)) {
        arena.give_back(pieces[child]);
      }
    }
    EXPECT_EQ(meter.peak(), peak);
  }
}

}  // namespace
}  // namespace frond::test
