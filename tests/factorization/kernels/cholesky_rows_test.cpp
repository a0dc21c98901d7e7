// SPDX-License-Identifier: BSD-3-Clause
// Tests Cholesky of row-distributed fronts: the product of the factors, and the entries of one process.
#include "factorization/kernels/cholesky_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "factorization/kernels/cholesky.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/row_distributed_front.hpp"

namespace frond::test {
namespace {

// Returns the largest difference between the entries of L and of the contribution blocks, in units of n eps times the largest entry
// of A.
template <Scalar S>
double difference(SingleFront<S>& one, SingleFront<S>& many) {
  double largest = 0;
  const FrontFactor<S>& front = one.factor();
  for (Index j = 0; j < front.num_fully_summed; ++j) {
    for (Index i = j; i < front.order; ++i) {
      const Count position = front.layout.column_offset(j) + i;
      largest = std::max<double>(largest, std::abs(front.lower[position] - many.factor().lower[position]));
    }
  }
  for (Index j = 0; j < one.cb_layout().cols; ++j) {
    for (Index i = j; i < one.cb_layout().order; ++i) {
      const auto position = static_cast<std::size_t>(one.cb_layout().column_offset(j) + i);
      largest = std::max<double>(largest, std::abs(one.contribution()[position] - many.contribution()[position]));
    }
  }
  double scale = 0;
  for (const S& value : one.matrix().values) {
    scale = std::max<double>(scale, std::abs(value));
  }
  return largest / (front.order * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()) * scale);
}

template <class S>
class CholeskyRowsTest : public ::testing::Test {
 protected:
  static void expect_as_one_process(Index p, Index contribution, const RowPartition& partition) {
    SCOPED_TRACE(::testing::Message() << p << " of " << p + contribution << ", " << to_string(partition));
    const DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, p + contribution, p, 1);
    SingleFront<S> expected(Method::cholesky, a, p);
    expected.eliminate({}, false);
    RowDistributedFront<S> front(Method::cholesky, a, p, partition);
    front.eliminate({});
    EXPECT_EQ(front.gathered().factor().num_eliminated, p);
    EXPECT_EQ(front.counts().positive, p);
    EXPECT_LT(front.gathered().error(), 1);
    EXPECT_LT(difference(expected, front.gathered()), 1);
  }
};
TYPED_TEST_SUITE(CholeskyRowsTest, Scalars);

TYPED_TEST(CholeskyRowsTest, FactorsAreThoseOfOneProcess) {
  for (const Index p : {1, 9, 127, 128, 129, 300}) {
    for (const Index contribution : {1, 2, 40, 150}) {
      for (const RowPartition& partition : irregular_partitions(contribution, 35)) {
        this->expect_as_one_process(p, contribution, partition);
      }
    }
  }
}

TYPED_TEST(CholeskyRowsTest, AnyPartitionWillDo) {
  for (const RowPartition& partition : all_partitions(5)) {
    this->expect_as_one_process(140, 5, partition);
  }
}

TYPED_TEST(CholeskyRowsTest, NamesTheVariableWhosePivotIsNotPositive) {
  using S = TypeParam;
  DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, 200, 150, 1);
  a(140, 140) = S(-1);
  RowDistributedFront<S> front(Method::cholesky, a, 150, {0, 7, 50});
  const auto failure = testing::error_of<NotPositiveDefinite>([&] { front.eliminate({}); });
  EXPECT_EQ(failure.variable, 140);
}

TYPED_TEST(CholeskyRowsTest, OraclesNoticeLostRows) {
  using S = TypeParam;
  const DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, 60, 40, 1);
  SingleFront<S> expected(Method::cholesky, a, 40);
  expected.eliminate({}, false);
  RowDistributedFront<S> front(Method::cholesky, a, 40, {0, 7, 20});
  front.eliminate({}, Fault::lost_rows);
  EXPECT_FALSE(front.gathered().error() < 1);
  EXPECT_FALSE(difference(expected, front.gathered()) < 1);
}

}  // namespace
}  // namespace frond::test
