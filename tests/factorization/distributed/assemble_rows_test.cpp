// SPDX-License-Identifier: BSD-3-Clause
// Tests adding rows of a child to a slave's part piece by piece, in any order, against adding the whole stream at once.
#include "factorization/distributed/assemble_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond::test {
namespace {

constexpr Index kFullySummed = 9;  // of the parent, two delayed ones included
constexpr Index kDelayedIn = 2;
constexpr Index kOrder = 40;
constexpr Index kRowBegin = 6;  // of the slave's share
constexpr Index kRowEnd = 25;

// A slave's part with its own memory.
template <Scalar S>
struct SlavePart {
  std::vector<S> summed;
  std::vector<S> cb;
  SlaveRows<S> rows;

  explicit SlavePart(Method method) {
    rows.size = {kDelayedIn, kFullySummed, kOrder};
    rows.row_begin = kRowBegin;
    rows.num_rows = kRowEnd - kRowBegin;
    summed.assign(static_cast<std::size_t>(rows.summed_entries()), S(0));
    cb.assign(static_cast<std::size_t>(rows.cb_entries(method)), S(0));
    rows.summed = summed.data();
    rows.cb = cb.data();
  }
};

// Draws the positions of a child's contribution rows in the parent, not counting delayed pivots.
std::vector<Index> random_positions(std::mt19937& random) {
  std::vector<Index> positions(kOrder - kDelayedIn);
  std::iota(positions.begin(), positions.end(), 0);
  std::erase_if(positions, [&random](Index /*position*/) { return random() % 3 == 0; });
  return positions;
}

// Returns the child's rows that lie in the slave's share.
RowStream stream_to_slave(const std::vector<Index>& positions, Index num_delayed) {
  const auto first_at = [&](Index row) {
    return static_cast<Index>(std::lower_bound(positions.begin(), positions.end(), kFullySummed - kDelayedIn + row) -
                              positions.begin());
  };
  RowStream stream{.row_begin = first_at(kRowBegin), .row_end = first_at(kRowEnd), .num_delayed = num_delayed};
  return stream;
}

template <class S>
class AssembleRowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(AssembleRowsTest, Scalars);

TYPED_TEST(AssembleRowsTest, PiecesInAnyOrderAreTheWholeStream) {
  using S = TypeParam;
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<Index> positions = random_positions(random);
      const RowStream stream = stream_to_slave(positions, static_cast<Index>(random() % (kDelayedIn + 1)));
      const Count length = stream_entries(stream, static_cast<Index>(positions.size()), method);
      std::vector<S> entries(static_cast<std::size_t>(length));
      std::generate(entries.begin(), entries.end(), [&] { return S(static_cast<RealOf<S>>(random() % 1000) / 7); });
      ChildRows<S> child{false, stream.row_begin, stream.row_end, stream.num_delayed, 0, positions, entries.data()};

      SlavePart<S> expected(method);
      add_child_rows(method, child, 0, kOrder, FrontTarget<S>(method, expected.rows));
      ASSERT_TRUE(std::any_of(expected.cb.begin(), expected.cb.end(), [](S entry) { return entry != S(0); }));

      SlavePart<S> actual(method);
      child.entries = nullptr;
      std::vector<Count> cuts = {0, length};
      for (int cut = 0; cut < 6; ++cut) {
        cuts.push_back(static_cast<Count>(random() % static_cast<std::uint64_t>(length)));
      }
      std::sort(cuts.begin(), cuts.end());
      std::vector<std::size_t> order(cuts.size() - 1);
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t k : order) {
        add_piece_of_rows(method, child, cuts[k], cuts[k + 1], entries.data() + cuts[k], FrontTarget<S>(method, actual.rows));
      }
      EXPECT_EQ(actual.summed, expected.summed);
      EXPECT_EQ(actual.cb, expected.cb);
    }
  }
}

}  // namespace
}  // namespace frond::test
