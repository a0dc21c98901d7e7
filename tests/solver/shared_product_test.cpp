// SPDX-License-Identifier: BSD-3-Clause
// Products by several threads against those by one.
#include "solver/shared_product.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "matrices/error.hpp"
#include "test_systems.hpp"
#include "tests/matrices/random_matrix.hpp"

namespace frond {
namespace {

constexpr Symmetry kAllSymmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};
constexpr Operation kAllOperations[] = {Operation::plain, Operation::transposed, Operation::adjoint};
constexpr Index kOrder = 6000;

// Some entries far from the diagonal, the others near it; the first row and column are full.
template <Scalar S>
SparseMatrix<S> banded_matrix(Symmetry symmetry, Index far_entries, std::mt19937& random) {
  Triplets<S> triplets;
  triplets.num_rows = triplets.num_cols = kOrder;
  triplets.symmetry = symmetry;
  const auto add = [&](Index i, Index j) {
    if (symmetry == Symmetry::general) {
      triplets.add(i, j, random_scalar<S>(random));
    } else if (i != j) {
      triplets.add(std::max(i, j), std::min(i, j), random_scalar<S>(random));
    }
  };
  std::uniform_int_distribution<Index> anywhere(0, kOrder - 1);
  std::uniform_int_distribution<Index> near(1, 40);
  for (Index j = 0; j < kOrder; ++j) {
    for (int k = 0; k < 6; ++k) {
      add(std::min(kOrder - 1, j + near(random)), j);
      add(std::max(Index{0}, j - near(random)), j);
    }
    add(0, j);
    add(j, 0);
  }
  for (Index k = 0; k < far_entries; ++k) {
    const Index i = anywhere(random);
    add(i, anywhere(random));
  }
  return compress(triplets);
}

template <class S>
class SharedProducts : public ::testing::Test {
 protected:
  using R = RealOf<S>;

  void expect_those_of_one_thread(const SparseMatrix<S>& matrix, Operation operation, std::size_t least_parts) {
    const std::vector<S> x = random_vector<S>(kOrder, random_);
    const auto n = static_cast<std::size_t>(kOrder);
    std::vector<S> expected(n);
    std::vector<R> magnitudes(n);
    multiply<S>(matrix.view(), operation, x, expected);
    multiply_magnitudes<S>(matrix.view(), operation, x, magnitudes);

    const SharedProduct<S> product(matrix.view(), operation);
    EXPECT_GE(product.num_parts(), least_parts);
    std::vector<S> y(n, std::numeric_limits<R>::quiet_NaN());
    std::vector<R> sums(n, std::numeric_limits<R>::quiet_NaN());
    product.multiply(x, y, sums);
    std::vector<R> sizes(n);
    std::transform(x.begin(), x.end(), sizes.begin(), [](S value) { return std::abs(value); });
    std::vector<R> by_sizes(n, std::numeric_limits<R>::quiet_NaN());
    product.multiply_magnitudes(sizes, by_sizes);
    const R unit = 100 * std::numeric_limits<R>::epsilon();  // the first row has thousands of terms of both signs
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LE(std::abs(y[i] - expected[i]), unit * magnitudes[i]) << "row " << i;
      ASSERT_NEAR(sums[i], magnitudes[i], unit * magnitudes[i]) << "row " << i;
      ASSERT_NEAR(by_sizes[i], magnitudes[i], unit * magnitudes[i]) << "row " << i;
    }
  }

  std::mt19937 random_{11};
};
using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SharedProducts, AllScalars);

TYPED_TEST(SharedProducts, AreThoseOfOneThread) {
  for (const Symmetry symmetry : kAllSymmetries) {
    const SparseMatrix<TypeParam> matrix = banded_matrix<TypeParam>(symmetry, 2000, this->random_);
    for (const Operation operation : kAllOperations) {
      this->expect_those_of_one_thread(matrix, operation, 5);
    }
  }
}

TYPED_TEST(SharedProducts, AreRightWhereOnePartIsBetter) {
  for (const Symmetry symmetry : kAllSymmetries) {
    const SparseMatrix<TypeParam> matrix = banded_matrix<TypeParam>(symmetry, 400000, this->random_);
    this->expect_those_of_one_thread(matrix, Operation::plain, 1);
  }
}

TEST(SharedProduct, DoesNotDependOnTheNumberOfThreads) {
  std::mt19937 random(5);
  const SparseMatrix<double> matrix = banded_matrix<double>(Symmetry::symmetric, 2000, random);
  const std::vector<double> x = random_vector<double>(kOrder, random);
  const auto product_by = [&](int num_threads) {
    std::vector<double> y(x.size());
    std::vector<double> magnitudes(x.size());
    tbb::task_arena arena(num_threads);
    arena.execute([&] { SharedProduct<double>(matrix.view(), Operation::plain).multiply(x, y, magnitudes); });
    y.insert(y.end(), magnitudes.begin(), magnitudes.end());
    return y;
  };
  EXPECT_EQ(product_by(1), product_by(2));
}

// Half of the entries and more lie between the parts of a matrix without locality.
TEST(SharedProduct, KeepsInOnePartWhatHasNoLocality) {
  std::mt19937 random(6);
  const SparseMatrix<double> local = banded_matrix<double>(Symmetry::general, 0, random);
  const SparseMatrix<double> scattered = banded_matrix<double>(Symmetry::general, 400000, random);
  EXPECT_GT(SharedProduct<double>(local.view(), Operation::plain).num_parts(), 1U);
  EXPECT_EQ(SharedProduct<double>(scattered.view(), Operation::plain).num_parts(), 1U);
  EXPECT_GT(SharedProduct<double>(scattered.view(), Operation::transposed).num_parts(), 1U) << "rows of A^T are stored columns";
}

TEST(SharedProduct, TakesAnyOrder) {
  for (const Index order : {0, 1, 2}) {
    const SparseMatrix<double> matrix = testing::laplacian<double>(order);
    const SharedProduct<double> product(matrix.view(), Operation::plain);
    std::vector<double> y(static_cast<std::size_t>(matrix.num_rows), 7);
    std::vector<double> magnitudes(y.size(), 7);
    const std::vector<double> ones(y.size(), 1);
    std::vector<double> expected(y.size());
    product.multiply(ones, y, magnitudes);
    multiply<double>(matrix.view(), Operation::plain, ones, expected);
    EXPECT_EQ(y, expected);
  }
}

TEST(SharedProduct, IsForSquareMatrices) {
  const SparseMatrix<double> matrix = compress(Triplets<double>{3, 2, Symmetry::general, {}, {}, {}});
  EXPECT_THROW(SharedProduct<double>(matrix.view(), Operation::plain), UsageError);
}

}  // namespace
}  // namespace frond
