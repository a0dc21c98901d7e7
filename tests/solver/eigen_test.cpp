// SPDX-License-Identifier: BSD-3-Clause
// Tests Eigen's matrices and vectors as input of the solver.
#include "frond/eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

template <class Matrix>
Matrix random_eigen_matrix(Index order) {
  const auto random = testing::random_matrix<double>(order, 3, Symmetry::general, testing::Flavour::dominant, 8);
  std::vector<Eigen::Triplet<double>> triplets;
  testing::for_each_entry(random, [&](Index i, Index j, double value) { triplets.emplace_back(i, j, value); });
  Matrix matrix(order, order);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

template <class Matrix>
class EigenMatrices : public ::testing::Test {};
using Matrices =
    ::testing::Types<Eigen::SparseMatrix<double, Eigen::ColMajor, int>, Eigen::SparseMatrix<double, Eigen::RowMajor, int>,
                     Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>,
                     Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>>;
TYPED_TEST_SUITE(EigenMatrices, Matrices);

TYPED_TEST(EigenMatrices, AreSolvedAsEigenDoes) {
  const auto matrix = random_eigen_matrix<TypeParam>(50);
  const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(50, 1, 2);
  const Eigen::VectorXd b = matrix * exact;
  const SystemMatrix<double> system = from_eigen(matrix);
  const Factorization<double> factorization(analyze(system), system);
  Eigen::VectorXd x(50);
  const SolveReport report = factorization.solve(std::span<const double>(b.data(), 50), std::span<double>(x.data(), 50));
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_LT((x - exact).norm(), 1e-12);
}

TYPED_TEST(EigenMatrices, AreNotCopied) {
  const auto matrix = random_eigen_matrix<TypeParam>(50);
  const SystemMatrix<double> system = from_eigen(matrix);
  const MatrixView<double>& stored = system.stored;
  EXPECT_EQ(stored.values.data(), matrix.valuePtr());
  if constexpr (std::is_same_v<typename TypeParam::StorageIndex, Index>) {
    EXPECT_EQ(stored.pattern.row_indices.data(), matrix.innerIndexPtr());
  } else {
    EXPECT_EQ(stored.pattern.column_offsets.data(), matrix.outerIndexPtr());
  }
}

TEST(FromEigen, RefusesWhatItCannotTakeAsItIs) {
  Eigen::SparseMatrix<double> loose(3, 3);
  loose.insert(1, 1) = 2;
  loose.reserve(Eigen::VectorXi::Constant(3, 2));
  EXPECT_THROW((void)from_eigen(loose), UsageError);
  const Eigen::SparseMatrix<double> oblong(3, 4);
  EXPECT_THROW((void)from_eigen(oblong), UsageError);
}

}  // namespace
}  // namespace frond
