// SPDX-License-Identifier: BSD-3-Clause
// Tests products by several threads against those by one.
#include "solver/numerics/accuracy/shared_product.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/symmetry.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond {
namespace {

constexpr Symmetry kAllSymmetries[] = {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};
constexpr Operation kAllOperations[] = {Operation::plain, Operation::transposed, Operation::adjoint};
constexpr Index kLongOrder = 6000;

// A matrix with entries on the diagonal, near it and some far from it; the first row and column are full. If it is symmetric, the
// entries lie in either triangle; the rows of a column come in any order. A Hermitian one has a complex diagonal: products use it
// as given.
template <Scalar S>
struct ScatteredMatrix {
  Symmetry symmetry;
  std::vector<Count> column_offsets = {0};
  std::vector<Index> row_indices;
  std::vector<S> values;

  ScatteredMatrix(Symmetry kind, Index far_entries, std::mt19937& random) : symmetry(kind) {
    std::uniform_int_distribution<Index> anywhere(0, kLongOrder - 1);
    std::uniform_int_distribution<Index> near(1, 40);
    std::vector<std::pair<Index, Index>> places;  // column and row
    const auto add = [&](Index i, Index j) {
      if (i >= 0 && i < kLongOrder) {  // one of two mirrored places, now here, now there
        const bool is_swapped = kind != Symmetry::general && (i < j) == ((i + j) % 2 == 0);
        places.emplace_back(is_swapped ? i : j, is_swapped ? j : i);
      }
    };
    for (Index j = 0; j < kLongOrder; ++j) {
      for (int k = 0; k < 6; ++k) {
        add(j + near(random), j);
        add(j - near(random), j);
      }
      add(0, j);
      add(j, 0);
      if (kind != Symmetry::skew_symmetric) {
        add(j, j);
      }
    }
    for (Index k = 0; k < far_entries; ++k) {
      const Index i = anywhere(random);
      const Index j = anywhere(random);
      if (i != j) {
        add(i, j);
      }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (kind == Symmetry::skew_symmetric) {
      std::erase_if(places, [](const auto& place) { return place.first == place.second; });
    }
    for (auto place = places.begin(); place != places.end();) {
      const Index column = place->first;
      const std::size_t begin = row_indices.size();
      for (; place != places.end() && place->first == column; ++place) {
        row_indices.push_back(place->second);
        values.push_back(random_scalar<S>(random));
      }
      std::shuffle(row_indices.begin() + begin, row_indices.end(), random);
      column_offsets.resize(static_cast<std::size_t>(column) + 2, column_offsets.back());
      column_offsets.back() = static_cast<Count>(row_indices.size());
    }
    column_offsets.resize(static_cast<std::size_t>(kLongOrder) + 1, column_offsets.back());
  }

  [[nodiscard]] MatrixView<S> view() const { return {{kLongOrder, kLongOrder, symmetry, column_offsets, row_indices}, values}; }
};

template <class S>
class SharedProducts : public ::testing::Test {
 protected:
  using R = RealOf<S>;

  void expect_those_of_one_thread(const ScatteredMatrix<S>& matrix, Operation operation, std::size_t least_parts) {
    const std::vector<S> x = random_vector<S>(kLongOrder, random_);
    const auto n = static_cast<std::size_t>(kLongOrder);
    std::vector<S> expected(n);
    std::vector<R> magnitudes(n);
    multiply<S>(matrix.view(), operation, x, expected);
    multiply_magnitudes<S>(matrix.view(), operation, x, magnitudes);

    const SharedProduct<S> product(matrix.view(), operation);
    EXPECT_GE(product.num_parts(), least_parts);
    std::vector<S> y(n, std::numeric_limits<R>::quiet_NaN());
    std::vector<R> sums(n, std::numeric_limits<R>::quiet_NaN());
    std::vector<S> low(n, std::numeric_limits<R>::quiet_NaN());
    product.multiply(x, {y, low}, sums);
    std::vector<R> sizes(n);
    std::transform(x.begin(), x.end(), sizes.begin(), [](S value) { return std::abs(value); });
    const RowSums<R> row_sums = product.row_sums(sizes);
    const std::vector<S> ones(n, S(1));
    std::vector<R> expected_sums(n);
    multiply_magnitudes<S>(matrix.view(), operation, ones, expected_sums);
    const R unit = 100 * std::numeric_limits<R>::epsilon();  // the first row has thousands of terms of both signs
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LE(std::abs(y[i] - expected[i]), unit * magnitudes[i]) << "row " << i;
      ASSERT_NEAR(sums[i], magnitudes[i], unit * magnitudes[i]) << "row " << i;
      ASSERT_NEAR(row_sums.scaled[i], magnitudes[i], unit * magnitudes[i]) << "row " << i;
      ASSERT_NEAR(row_sums.plain[i], expected_sums[i], unit * expected_sums[i]) << "row " << i;
    }
  }

  std::mt19937 random_{11};
};
using AllScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SharedProducts, AllScalars);

TYPED_TEST(SharedProducts, AreThoseOfOneThread) {
  for (const Symmetry symmetry : kAllSymmetries) {
    const ScatteredMatrix<TypeParam> matrix(symmetry, 2000, this->random_);
    for (const Operation operation : kAllOperations) {
      this->expect_those_of_one_thread(matrix, operation, 5);
    }
  }
}

TYPED_TEST(SharedProducts, AreRightWhereOnePartIsBetter) {
  for (const Symmetry symmetry : kAllSymmetries) {
    const ScatteredMatrix<TypeParam> matrix(symmetry, 400000, this->random_);
    this->expect_those_of_one_thread(matrix, Operation::plain, 1);
  }
}

// Sums L, 1, -L, 1, L, ... with L = 4 / eps, and (1 + eps) (1 - eps) - 1: the working precision loses everything that remains.
TYPED_TEST(SharedProducts, KeepWhatCancellationLeaves) {
  using S = TypeParam;
  using Real = RealOf<S>;
  constexpr Real kEps = std::numeric_limits<Real>::epsilon();
  constexpr Index kLength = 4001;
  constexpr Index kNumOnes = (kLength - 1) / 2;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<S> entries{.num_rows = kLength, .num_cols = kLength, .symmetry = symmetry};
    const auto add = [&](Index i, Index j, Real value) {
      symmetry == Symmetry::general ? entries.add(i, j, S(value)) : entries.add(j, i, S(value));
    };
    Real unpaired = 0;
    for (Index j = 3; j < kLength; j += 2) {
      const Real large = j % 4 == 1 ? 4 / kEps : -4 / kEps;
      unpaired += large;
      add(0, j, large);
      add(0, j - 1, Real(1));
    }
    add(0, kLength - 1, Real(1));
    add(1, 1, 1 + kEps);
    add(1, 2, Real(-1));
    std::vector<S> x(static_cast<std::size_t>(kLength), S(1));
    x[1] = S(1 - kEps);
    const SparseMatrix<S> matrix = compress(std::move(entries));
    std::vector<S> y(x.size());
    std::vector<S> low(x.size());
    std::vector<Real> magnitudes(x.size());
    SharedProduct<S>(matrix.view(), Operation::plain).multiply(x, {y, low}, magnitudes);
    EXPECT_EQ((y[0] - S(unpaired)) + low[0], S(static_cast<Real>(kNumOnes))) << to_string(symmetry);
    EXPECT_EQ(y[1] + low[1], S(-kEps * kEps)) << to_string(symmetry);
  }
}

TEST(SharedProduct, DoesNotDependOnTheNumberOfThreads) {
  std::mt19937 random(5);
  const ScatteredMatrix<double> matrix(Symmetry::symmetric, 2000, random);
  const std::vector<double> x = random_vector<double>(kLongOrder, random);
  const auto product_by = [&](int num_threads) {
    std::vector<double> y(x.size());
    std::vector<double> low(x.size());
    std::vector<double> magnitudes(x.size());
    tbb::task_arena arena(num_threads);
    arena.execute([&] { SharedProduct<double>(matrix.view(), Operation::plain).multiply(x, {y, low}, magnitudes); });
    y.insert(y.end(), low.begin(), low.end());
    y.insert(y.end(), magnitudes.begin(), magnitudes.end());
    return y;
  };
  EXPECT_EQ(product_by(1), product_by(2));
}

// Without locality, at least half of the entries lie between the parts of a matrix.
TEST(SharedProduct, KeepsInOnePartWhatHasNoLocality) {
  std::mt19937 random(6);
  const ScatteredMatrix<double> local(Symmetry::general, 0, random);
  const ScatteredMatrix<double> scattered(Symmetry::general, 400000, random);
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
    std::vector<double> expected_magnitudes(y.size());
    std::vector<double> low(y.size(), 7);
    product.multiply(ones, {y, low}, magnitudes);
    EXPECT_EQ(low, std::vector<double>(y.size(), 0));
    multiply<double>(matrix.view(), Operation::plain, ones, expected);
    multiply_magnitudes<double>(matrix.view(), Operation::plain, ones, expected_magnitudes);
    EXPECT_EQ(y, expected);
    EXPECT_EQ(magnitudes, expected_magnitudes);
    EXPECT_EQ(product.row_sums().plain, expected_magnitudes);
    EXPECT_TRUE(product.row_sums().scaled.empty());
  }
}

TEST(SharedProduct, IsForSquareMatrices) {
  const SparseMatrix<double> matrix = compress(Triplets<double>{3, 2, Symmetry::general, {}, {}, {}});
  EXPECT_THROW(SharedProduct<double>(matrix.view(), Operation::plain), UsageError);
}

TEST(SharedProduct, ChecksLengths) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(2);
  const SharedProduct<double> product(matrix.view(), Operation::plain);
  std::vector<double> right(static_cast<std::size_t>(matrix.num_rows), 1);
  std::vector<double> y = right;
  std::vector<double> magnitudes = right;
  std::vector<double> wrong(right.size() + 1, 1);
  std::vector<double> low = right;
  EXPECT_NO_THROW(product.multiply(right, {y, low}, magnitudes));
  EXPECT_THROW(product.multiply(wrong, {y, low}, magnitudes), UsageError);
  EXPECT_THROW(product.multiply(right, {wrong, low}, magnitudes), UsageError);
  EXPECT_THROW(product.multiply(right, {y, wrong}, magnitudes), UsageError);
  EXPECT_THROW(product.multiply(right, {y, low}, wrong), UsageError);
  EXPECT_THROW(static_cast<void>(product.row_sums(wrong)), UsageError);
}

}  // namespace
}  // namespace frond
