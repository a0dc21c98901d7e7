// SPDX-License-Identifier: BSD-3-Clause
// Tests that a front counts only if all its pieces are stored, and its contribution block only with the pieces of all its holders.
#include "solver/storage/checkpoint/found_fronts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr std::uint64_t kKey = 7;
constexpr Index kCbOrder = 6;
constexpr Index kCut = 2;  // rows of the first slave

// The stored pieces of a front of 4 fully summed variables below a root, whose contribution rows are on two slaves.
struct Stored {
  bool has_factor = true;
  std::array<bool, 2> factor_rows = {true, true};
  bool has_delayed_rows = true;  // the master's part of the contribution block
  std::array<bool, 2> block_rows = {true, true};
};

class FoundSharedFront {
 public:
  explicit FoundSharedFront(Index num_delayed) {
    described_.master = 1;
    described_.size = {.num_delayed_in = 0, .num_fully_summed = 4, .order = 4 + kCbOrder};
    described_.num_eliminated = described_.size.num_fully_summed - num_delayed;
    described_.shares = {{0, 0, kCut}, {2, kCut, kCbOrder}};
  }

  // True if the front is found when the root is to be executed.
  [[nodiscard]] bool is_found(const Stored& stored) const {
    const testing::ScratchFolder folder;
    FrontLogWriter log(folder.path("log"), kKey);
    NumericFront<double> front;
    front.factor.num_fully_summed = 0;  // no lists
    std::vector<StoredPiece> pieces;
    const auto add = [&](bool is_there, StoredKind kind, RowRange rows, const std::vector<std::byte>& words = {}) {
      if (is_there) {
        log.begin(kind);
        log.append(std::array<std::byte, 8>{});
        pieces.push_back(log.end(0, rows, words));
      }
    };
    add(stored.has_factor, StoredKind::factor, {0, 0}, factor_to_write(0, front, Method::ldlt, described_, {}).described);
    add(stored.factor_rows[0], StoredKind::factor_rows, {0, kCut});
    add(stored.factor_rows[1], StoredKind::factor_rows, {kCut, kCbOrder});
    add(stored.has_delayed_rows, StoredKind::block, {0, 0});
    add(stored.block_rows[0], StoredKind::block_rows, {0, kCut});
    add(stored.block_rows[1], StoredKind::block_rows, {kCut, kCbOrder});
    log.commit(pieces);
    EXPECT_TRUE(seal(folder.path("."), {.run = 1, .number = 0, .key = kKey, .logs = {{"log", 1, log.num_index_bytes(), false}}}));
    return FoundFronts(tree_, folder.path("."), kKey).has(0);
  }

 private:
  AssemblyTree tree_{{1, kNoParent}, {0, 4, 4 + kCbOrder}, {0, kCbOrder, kCbOrder}, {4, 5, 6, 7, 8, 9}};
  DescribedFront described_;
};

TEST(FoundFronts, AreWholeWithThePiecesOfAllTheirHolders) {
  for (const Index num_delayed : {0, 2}) {
    const FoundSharedFront front(num_delayed);
    EXPECT_TRUE(front.is_found({}));
    EXPECT_FALSE(front.is_found({.has_factor = false}));
    for (const std::array<bool, 2> rows : {std::array{true, false}, std::array{false, true}, std::array{false, false}}) {
      EXPECT_FALSE(front.is_found({.factor_rows = rows}));
      EXPECT_FALSE(front.is_found({.block_rows = rows}));
    }
  }
}

TEST(FoundFronts, NeedTheMastersPartOfABlockWherePivotsAreDelayed) {
  EXPECT_TRUE(FoundSharedFront(0).is_found({.has_delayed_rows = false}));
  EXPECT_FALSE(FoundSharedFront(1).is_found({.has_delayed_rows = false}));
  EXPECT_FALSE(FoundSharedFront(4).is_found({.has_delayed_rows = false}));
}

}  // namespace
}  // namespace frond
