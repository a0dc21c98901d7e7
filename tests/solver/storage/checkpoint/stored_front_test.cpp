// SPDX-License-Identifier: BSD-3-Clause
// Tests that lists of a stored front are refused if they do not fit its sizes or its analysis.
#include "solver/storage/checkpoint/stored_front.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "solver/storage/saved/saved_fronts.hpp"

namespace frond {
namespace {

// The stored piece of a front by LDLT or LU: 4 variables, one of them delayed, below a root.
class StoredFront {
 public:
  explicit StoredFront(Method with) : method(with) {
    described.size = {.num_delayed_in = 0, .num_fully_summed = 4, .order = 6};
    described.num_eliminated = 3;
  }

  [[nodiscard]] StoredPiece piece() {
    NumericFront<double> front;
    front.factor.num_fully_summed = num_listed;
    front.factor.row_variables = rows.data();
    front.factor.col_variables = columns.data();
    front.factor.pivots = pivots.data();
    front.factor.d = method == Method::lu ? nullptr : d.data();
    const PieceToWrite written = factor_to_write(0, front, method, described, counts);
    StoredPiece piece{StoredKind::factor, 0, stored_rows, 0, num_bytes(), 0, written.described};
    piece.described.resize(piece.described.size() - num_cut);
    return piece;
  }

  [[nodiscard]] bool is_accepted() {
    try {
      const StoredPiece stored = piece();
      const DescribedFront front = described_front(stored, tree);
      const DescribedPivots<double> lists = described_pivots<double>(stored, front, tree, method);
      return VariablePlaces(tree).take(0, lists.row_variables, front.num_eliminated) &&
             (method != Method::lu || VariablePlaces(tree).take(0, lists.col_variables, front.num_eliminated));
    } catch (const InternalError&) {
      return false;
    }
  }

  AssemblyTree tree{{1, kNoParent}, {0, 4, 6}, {0, 2, 2}, {4, 5}};
  Method method;
  DescribedFront described;
  PivotCounts counts;
  RowRange stored_rows{0, 2};
  Index num_listed = 4;
  std::size_t num_cut = 0;  // bytes missing at the end of the lists
  std::vector<Index> rows = {2, 0, 1, 3};
  std::vector<Index> columns = {0, 1, 2, 3};
  std::vector<PivotKind> pivots = {PivotKind::one_by_one, PivotKind::null, PivotKind::one_by_one, PivotKind{}};
  std::vector<double> d = std::vector<double>(8, 1);

 private:
  // LDLT: columns of 4, 3 and 2 entries; LU: 3 of 6 and one of 3; both: two rows of 3.
  [[nodiscard]] Count num_bytes() const { return (method == Method::lu ? 21 + 6 : 9 + 6) * static_cast<Count>(sizeof(double)); }
};

constexpr Index kHuge = std::numeric_limits<Index>::max();

using Change = std::pair<const char*, std::function<void(StoredFront&)>>;

void expect_refused(Method method, const std::vector<Change>& changes) {
  EXPECT_TRUE(StoredFront(method).is_accepted());
  for (const auto& [name, change] : changes) {
    StoredFront front(method);
    change(front);
    EXPECT_FALSE(front.is_accepted()) << name;
  }
}

TEST(StoredFronts, AreRefusedUnlessAllFits) {
  const std::vector<Change> changes = {
      {"short lists", [](StoredFront& f) { f.num_listed = 3; }},
      {"cut lists", [](StoredFront& f) { f.num_cut = 8; }},
      {"an order", [](StoredFront& f) { f.described.size.order = kHuge; }},
      {"many variables", [](StoredFront& f) { f.described.size.num_fully_summed = 5; }},
      {"no variables", [](StoredFront& f) { f.described.size = {.num_delayed_in = -4, .num_fully_summed = 0, .order = 2}; }},
      {"variables from below", [](StoredFront& f) { f.described.size.num_delayed_in = 2; }},
      {"many pivots", [](StoredFront& f) { f.described.num_eliminated = 5; }},
      {"few pivots", [](StoredFront& f) { f.described.num_eliminated = -1; }},
      {"a master", [](StoredFront& f) { f.described.master = -1; }},
      {"shares",
       [](StoredFront& f) {
         f.described.shares = {{0, 0, 3}};
       }},
      {"shares of one",
       [](StoredFront& f) {
         f.described.shares = {{0, 0, 1}, {0, 1, 2}};
       }},
      {"rows",
       [](StoredFront& f) {
         f.stored_rows = {0, 1};
       }},
      {"a variable beyond", [](StoredFront& f) { f.rows[2] = kHuge; }},
      {"a negative one", [](StoredFront& f) { f.rows[2] = -1; }},
      {"one of the root", [](StoredFront& f) { f.rows[2] = 5; }},
      {"one twice", [](StoredFront& f) { f.rows[2] = 2; }},
      {"a kind of pivot", [](StoredFront& f) { f.pivots[1] = static_cast<PivotKind>(9); }},
      {"half of a pair", [](StoredFront& f) { f.pivots[2] = PivotKind::two_by_two; }},
      {"the other half", [](StoredFront& f) { f.pivots[0] = PivotKind::second_of_two; }},
      {"counts", [](StoredFront& f) { f.counts.two_by_two = std::numeric_limits<Count>::max(); }},
      {"null pivots", [](StoredFront& f) { f.counts.null_variables = {kHuge}; }}};
  expect_refused(Method::ldlt, changes);
  expect_refused(Method::lu, changes);
  expect_refused(Method::lu, {{"a column twice", [](StoredFront& f) { f.columns[1] = 0; }}});
}

TEST(StoredFronts, MayHavePairsWithLdltAlone) {
  const auto with_pair = [](Method method) {
    StoredFront front(method);
    front.pivots = {PivotKind::two_by_two, PivotKind::second_of_two, PivotKind::one_by_one, PivotKind{}};
    return front.is_accepted();
  };
  EXPECT_TRUE(with_pair(Method::ldlt));
  EXPECT_FALSE(with_pair(Method::lu));
}

// The parent receives the delayed variables of its children.
TEST(VariablePlaces, FollowDelayedVariables) {
  const AssemblyTree tree{{1, kNoParent}, {0, 4, 6}, {0, 2, 2}, {4, 5}};
  const auto take_both = [&tree](const std::vector<Index>& child, Index num_eliminated, const std::vector<Index>& parent) {
    VariablePlaces places(tree);
    return places.take(0, child, num_eliminated) && places.take(1, parent, static_cast<Index>(parent.size()));
  };
  EXPECT_TRUE(take_both({0, 1, 2, 3}, 4, {5, 4}));
  EXPECT_TRUE(take_both({3, 1, 2, 0}, 2, {0, 4, 2, 5}));
  EXPECT_FALSE(take_both({3, 1, 2, 0}, 2, {1, 4, 2, 5}));
  EXPECT_FALSE(take_both({3, 1, 2, 0}, 2, {4, 5}));
  EXPECT_FALSE(take_both({3, 1, 2, 0}, 4, {0, 4, 5}));
}

}  // namespace
}  // namespace frond
