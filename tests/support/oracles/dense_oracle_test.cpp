// SPDX-License-Identifier: BSD-3-Clause
// Tests that the oracle accepts factors worked out by hand and rejects every kind of planted error.
#include "tests/support/oracles/dense_oracle.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

constexpr double kTolerance = 1;  // in units of n eps and the scale of the products
constexpr double kPlanted = 0.1;

// A front all of whose fully summed variables were eliminated.
FrontFactor<double> eliminated_front(Index order, std::vector<double>& lower, std::vector<Index>& rows, std::vector<Index>& cols) {
  const auto num_summed = static_cast<Index>(rows.size());
  FrontFactor<double> front;
  front.order = order;
  front.num_fully_summed = num_summed;
  front.num_eliminated = num_summed;
  front.layout = {order, num_summed, num_summed};
  front.lower = lower.data();
  front.row_variables = rows.data();
  front.col_variables = cols.data();
  return front;
}

TEST(DenseOracle, MultipliesOutCholeskyByHand) {
  std::vector<double> lower = {2, 1, 3, 0, 4, 5};  // 3 x 2
  std::vector<Index> variables = {0, 1};
  const PanelLayout cb_layout{1, 1, 1};
  std::vector<double> cb = {7};
  const FrontFactor<double> front = eliminated_front(3, lower, variables, variables);
  const Index cb_rows[] = {2};
  DenseOracle<double> oracle(3);
  oracle.add_front(Method::cholesky, front, cb_rows);
  oracle.add_remainder(Method::cholesky, front, cb_rows, cb_layout, cb.data());
  DenseMatrix<double> a(3, 3);
  a.values = {4, 2, 6, 2, 17, 23, 6, 23, 41};
  EXPECT_EQ(oracle.error(a), 0);
  EXPECT_EQ(oracle.largest_multiplier(), 5);
  EXPECT_EQ(oracle.num_eliminated(), 2);
}

TEST(DenseOracle, MultipliesOutAnExchangedTwoByTwoPivotByHand) {
  // Variables 2, 0 make the pivot [1, 2; 2, 1]; variable 1 has l = (3, -1).
  std::vector<double> lower = {0, 0, 3, 0, 0, -1};
  std::vector<double> d = {1, 2, 1, 0};
  std::vector<Index> variables = {2, 0};
  PivotKind pivots[] = {PivotKind::two_by_two, PivotKind::second_of_two};
  FrontFactor<double> front = eliminated_front(3, lower, variables, variables);
  front.d = d.data();
  front.pivots = pivots;
  const Index cb_rows[] = {1};
  DenseOracle<double> oracle(3);
  oracle.add_front(Method::ldlt, front, cb_rows);
  DenseMatrix<double> a(3, 3);
  a.values = {1, 5, 2, 5, -2, 1, 2, 1, 1};  // (3, -1) D = (1, 5); (1, 5) (3, -1)^T = -2
  EXPECT_EQ(oracle.error(a), 0);
  EXPECT_EQ(oracle.largest_multiplier(), 3);
}

TEST(DenseOracle, MultipliesOutLuByHand) {
  // A = N^T M^T: variable 1's column pivots in variable 0's row.
  std::vector<double> lower = {4, 0.5, 0, 6};  // B = M N with M = [1, 0; 0.5, 1], N = [4, 0; 0, 6]
  std::vector<Index> rows = {0, 1};
  std::vector<Index> cols = {1, 0};
  PivotKind pivots[] = {PivotKind::one_by_one, PivotKind::one_by_one};
  FrontFactor<double> front = eliminated_front(2, lower, rows, cols);
  front.pivots = pivots;
  DenseOracle<double> oracle(2);
  oracle.add_front(Method::lu, front, {});
  DenseMatrix<double> a(2, 2);
  a(0, 1) = 4;
  a(0, 0) = 2;
  a(1, 0) = 6;
  EXPECT_EQ(oracle.error(a), 0);
}

TEST(DenseOracle, RefusesAVariableThatWasEliminatedBefore) {
  std::vector<double> lower = {1};
  std::vector<Index> variables = {0};
  const FrontFactor<double> front = eliminated_front(1, lower, variables, variables);
  DenseOracle<double> oracle(1);
  oracle.add_front(Method::cholesky, front, {});
  oracle.add_front(Method::cholesky, front, {});
  DenseMatrix<double> a(1, 1);
  a(0, 0) = 2;
  EXPECT_TRUE(std::isinf(oracle.error(a)));
}

TEST(DenseOracle, CountsEigenvalueSigns) {
  DenseMatrix<double> a(3, 3);
  a(0, 1) = a(1, 0) = 2;  // eigenvalues 2, -2, 0
  const EigenvalueSigns signs = eigenvalue_signs(a, 1e-12);
  EXPECT_EQ(signs.positive, 1);
  EXPECT_EQ(signs.negative, 1);
  EXPECT_EQ(signs.zero, 1);
}

// Fronts with eliminated, delayed (not Cholesky) and contribution parts, in which one entry at a time is falsified.
template <class S>
class PlantedError : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 30;
  static constexpr Index kFullySummed = 20;

  static DenseMatrix<S> matrix(Method method) {
    return front_matrix<S>(method == Method::cholesky ? FrontKind::dominant : FrontKind::tiny_columns, symmetry_of(method), kOrder,
                           kFullySummed, 11);
  }

  // Eliminates a front by each of the methods, lets `plant` damage it, and expects the oracle to notice.
  template <class Methods, class Plant>
  static void expect_noticed(const Methods& methods, Plant plant) {
    for (const Method method : methods) {
      SCOPED_TRACE(static_cast<int>(method));
      const DenseMatrix<S> a = matrix(method);
      SingleFront<S> front(method, a, kFullySummed);
      front.eliminate(default_tolerances(a, 0.3), false);
      ASSERT_LT(front.error(), kTolerance);
      plant(front);
      EXPECT_GT(front.error(), 2 * kTolerance);
    }
  }

  static void disturb(S& entry) { entry += (entry == S(0) ? S(1) : entry) * static_cast<RealOf<S>>(kPlanted); }
  static S& lower(SingleFront<S>& front, Index row, Index col) {
    return front.factor().lower[front.factor().layout.column_offset(col) + row];
  }
};
TYPED_TEST_SUITE(PlantedError, Scalars);

TYPED_TEST(PlantedError, InAFactorIsNoticed) {
  this->expect_noticed(kAllMethods, [](auto& front) { TestFixture::disturb(TestFixture::lower(front, 25, 2)); });
}

TYPED_TEST(PlantedError, InADelayedColumnIsNoticed) {
  this->expect_noticed(kPivotingMethods, [](auto& front) {
    ASSERT_LT(front.factor().num_eliminated, front.factor().num_fully_summed);
    TestFixture::disturb(TestFixture::lower(front, 25, 19));
  });
}

TYPED_TEST(PlantedError, InTheContributionBlockIsNoticed) {
  this->expect_noticed(kAllMethods, [](auto& front) { TestFixture::disturb(front.contribution()[3]); });
}

TYPED_TEST(PlantedError, InDIsNoticed) {
  this->expect_noticed(kIndefiniteMethods, [](auto& front) { TestFixture::disturb(front.factor().d[0]); });
}

TYPED_TEST(PlantedError, InTheRowsOfUIsNoticed) {
  this->expect_noticed(std::array{Method::lu}, [](auto& front) { TestFixture::disturb(front.factor().upper[0]); });
}

TYPED_TEST(PlantedError, InThePermutationIsNoticed) {
  this->expect_noticed(kAllMethods,
                       [](auto& front) { std::swap(front.factor().row_variables[0], front.factor().row_variables[1]); });
}

TYPED_TEST(PlantedError, ANanIsNoticed) {
  this->expect_noticed(kAllMethods, [](auto& front) {
    TestFixture::lower(front, 29, 0) = TypeParam(std::numeric_limits<RealOf<TypeParam>>::quiet_NaN());
  });
}

}  // namespace
}  // namespace frond::test
