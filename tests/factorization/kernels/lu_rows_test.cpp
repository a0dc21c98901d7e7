// SPDX-License-Identifier: BSD-3-Clause
// Tests LU of row-distributed fronts: factors, bounds and delayed rows of a master and its slaves.
#include "factorization/kernels/lu_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/row_distributed_front.hpp"

namespace frond::test {
namespace {

template <class S>
class LuRowsTest : public ::testing::Test {
 protected:
  // Returns the number of delayed variables.
  static Index checked(FrontKind kind, Index p, Index contribution, double threshold, const RowPartition& partition) {
    SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << name_of(kind) << ", u " << threshold << ", "
                                      << to_string(partition));
    RowDistributedFront<S> front(Method::lu, front_matrix<S>(kind, Symmetry::general, p + contribution, p, 7), p, partition);
    front.eliminate(default_tolerances(front.gathered().matrix(), threshold));
    const DenseOracle<S> oracle = front.gathered().multiply_out();
    EXPECT_LT(oracle.error(front.gathered().matrix()), 1);
    EXPECT_LE(oracle.largest_multiplier(), (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon()) / threshold);
    return front.gathered().factor().num_delayed();
  }
};
TYPED_TEST_SUITE(LuRowsTest, Scalars);

TYPED_TEST(LuRowsTest, FactorsAreExactAndBoundedForEveryKindOfMatrix) {
  Index num_delayed = 0;
  for (const FrontKind kind : kIndefiniteKinds) {
    for (const Index p : {1, 5, 40, 130}) {
      for (const Index contribution : {1, 37}) {
        for (const double threshold : {0.01, 0.3}) {
          for (const RowPartition& partition : irregular_partitions(contribution, 31)) {
            num_delayed += this->checked(kind, p, contribution, threshold, partition);
          }
        }
      }
    }
  }
  EXPECT_GT(num_delayed, 0);
}

TYPED_TEST(LuRowsTest, AnyPartitionWillDo) {
  for (const RowPartition& partition : all_partitions(5)) {
    this->checked(FrontKind::saddle, 20, 5, 0.1, partition);
    this->checked(FrontKind::tiny_columns, 20, 5, 0.1, partition);
  }
}

// Columns are moved back after a panel, and rejected ones are swept again, across panels.
TYPED_TEST(LuRowsTest, DelayedRowsKeepTheMastersOrderOverManyPanels) {
  for (const RowPartition& partition : irregular_partitions(150, 33)) {
    EXPECT_GT(this->checked(FrontKind::tiny_columns, 300, 150, 0.1, partition), 0);
  }
}

TYPED_TEST(LuRowsTest, MastersPartIsThatOfOneProcess) {
  using S = TypeParam;
  const DenseMatrix<S> a = front_matrix<S>(FrontKind::tiny_columns, Symmetry::general, 170, 150, 5);
  SingleFront<S> expected(Method::lu, a, 150);
  expected.eliminate(default_tolerances(a), false);
  RowDistributedFront<S> front(Method::lu, a, 150, {0, 13, 20});
  front.eliminate(default_tolerances(a));
  const FrontFactor<S>& one = expected.factor();
  const FrontFactor<S>& many = front.gathered().factor();
  ASSERT_EQ(many.num_eliminated, one.num_eliminated);
  EXPECT_TRUE(std::equal(one.lower, one.lower + one.layout.size(), many.lower));
  EXPECT_TRUE(std::equal(one.row_variables, one.row_variables + 150, many.row_variables));
  EXPECT_TRUE(std::equal(one.col_variables, one.col_variables + 150, many.col_variables));
}

TYPED_TEST(LuRowsTest, OracleNoticesLostExchanges) {
  using S = TypeParam;
  RowDistributedFront<S> front(Method::lu, front_matrix<S>(FrontKind::random, Symmetry::general, 60, 40, 7), 40, {0, 7, 20});
  front.eliminate(default_tolerances(front.gathered().matrix()), Fault::lost_exchanges);
  EXPECT_FALSE(front.gathered().error() < 1);
}

}  // namespace
}  // namespace frond::test
