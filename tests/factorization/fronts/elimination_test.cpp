// SPDX-License-Identifier: BSD-3-Clause
// Tests that elimination by jobs gives the same bits as elimination by one thread.
#include "factorization/fronts/elimination.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <class S>
class EliminationByJobs : public ::testing::Test {};
TYPED_TEST_SUITE(EliminationByJobs, Scalars);

template <Scalar S>
void expect_same_bits(Method method, FrontKind kind, Index num_fully_summed, Index contribution) {
  SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", " << name_of(kind) << ", " << num_fully_summed
                                    << " of " << num_fully_summed + contribution);
  const DenseMatrix<S> a = front_matrix<S>(kind, symmetry_of(method), num_fully_summed + contribution, num_fully_summed, 21);
  SingleFront<S> expected(method, a, num_fully_summed);
  expected.eliminate(default_tolerances(a), contribution == 0);
  std::unique_ptr<TaskPool> pools[] = {make_inline_pool(), make_thread_pool(3), make_tbb_pool(2)};
  for (const auto& pool : pools) {
    SingleFront<S> front(method, a, num_fully_summed);
    front.eliminate(default_tolerances(a), contribution == 0, pool.get());
    EXPECT_TRUE(front.equals(expected));
  }
}

TYPED_TEST(EliminationByJobs, GivesTheBitsOfOneThreadCholesky) {
  for (const Index p : {1, 127, 128, 129, 300, 520}) {
    expect_same_bits<TypeParam>(Method::cholesky, FrontKind::dominant, p, 0);
    expect_same_bits<TypeParam>(Method::cholesky, FrontKind::dominant, p, 50);
  }
}

TYPED_TEST(EliminationByJobs, GivesTheBitsOfOneThreadLdltAndLu) {
  for (const Method method : {Method::ldlt, Method::ldlh, Method::lu}) {
    for (const FrontKind kind : {FrontKind::random, FrontKind::tiny_columns, FrontKind::saddle, FrontKind::low_rank}) {
      for (const Index p : {1, 128, 129, 300}) {
        expect_same_bits<TypeParam>(method, kind, p, 0);
        expect_same_bits<TypeParam>(method, kind, p, 50);
      }
    }
    expect_same_bits<TypeParam>(method, FrontKind::tiny_columns, 520, 50);
  }
}

TEST(SingleFront, EqualsNoticesOneBit) {
  const DenseMatrix<double> a = front_matrix<double>(FrontKind::random, Symmetry::symmetric, 20, 12, 3);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const DenseMatrix<double> matrix =
        method == Method::cholesky ? front_matrix<double>(FrontKind::dominant, Symmetry::symmetric, 20, 12, 3) : a;
    SingleFront<double> first(method, matrix, 12);
    SingleFront<double> second(method, matrix, 12);
    first.eliminate(default_tolerances(matrix), false);
    second.eliminate(default_tolerances(matrix), false);
    EXPECT_TRUE(first.equals(second));
    double& entry = second.factor().lower[second.factor().layout.column_offset(3) + 19];
    entry = std::nextafter(entry, 1e9);
    EXPECT_FALSE(first.equals(second));
  }
}

TEST(PivotSweep, CutsColumnsIntoPanels) {
  const PivotSweep sweep(300, false);
  const Segment segment = sweep.segment();
  EXPECT_EQ(segment.boundaries, (std::vector<Index>{0, 128, 256, 300}));
  EXPECT_EQ(segment.num_panels, 3);
}

}  // namespace
}  // namespace frond::test
