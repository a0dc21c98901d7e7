// SPDX-License-Identifier: BSD-3-Clause
// Tests matrices in every form that the C interface takes, against dense residuals.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

template <class S>
class CMatrix : public ::testing::Test {
 protected:
  static constexpr double kTolerance = 100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  OwnedSolver solver_ = make_solver(kScalarOf<S>);

  // Solves with the matrix that was set, and checks the residual with the one it should be.
  void expect_solves(const DenseMatrix<S>& matrix, int operation = FROND_PLAIN) {
    const DenseMatrix<S> b = random_dense<S>(matrix.num_rows, 2, 7);
    frond_status status = FROND_INTERNAL_ERROR;
    const DenseMatrix<S> x = solution(solver_, b, operation, &status);
    EXPECT_TRUE(succeeds(solver_, status));
    EXPECT_STREQ(frond_message(solver_), "");
    EXPECT_LE(dense_backward_error(matrix, x, b), kTolerance);
  }

  static std::vector<Symmetry> symmetries() {
    return {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian};
  }

  static SparseMatrix<S> matrix_of(Symmetry symmetry) {
    return random_matrix<S>(40, 4, symmetry, symmetry == Symmetry::skew_symmetric ? Flavour::zero_diagonal : Flavour::graded, 3);
  }

  template <class I>
  frond_status set_triplets(Index order, Symmetry symmetry, const std::vector<I>& rows, const std::vector<I>& cols,
                            const std::vector<S>& values) {
    if constexpr (sizeof(I) == sizeof(std::int32_t)) {
      return frond_set_triplets(solver_, order, symmetry_of(symmetry), static_cast<std::int64_t>(rows.size()), rows.data(),
                                cols.data(), values.data());
    } else {
      return frond_set_triplets_64(solver_, order, symmetry_of(symmetry), static_cast<std::int64_t>(rows.size()), rows.data(),
                                   cols.data(), values.data());
    }
  }

  // Passes the entries in any order, some split in two, some at the mirrored position where symmetry allows it.
  template <class I>
  void expect_solves_triplets(Symmetry symmetry, I base) {
    const SparseMatrix<S> matrix = matrix_of(symmetry);
    std::mt19937_64 random(5);
    std::vector<I> rows;
    std::vector<I> cols;
    std::vector<S> values;
    const auto add = [&](Index row, Index col, S value) {
      rows.push_back(static_cast<I>(row) + base);
      cols.push_back(static_cast<I>(col) + base);
      values.push_back(value);
    };
    const auto mirror = [symmetry](S value) {
      return symmetry == Symmetry::hermitian ? conjugate(value) : symmetry == Symmetry::skew_symmetric ? -value : value;
    };
    for (Index j = 0; j < matrix.num_cols; ++j) {
      for (auto k = static_cast<std::size_t>(matrix.column_offsets[j]);
           k < static_cast<std::size_t>(matrix.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
        const Index i = matrix.row_indices[k];
        const S half = matrix.values[k] / S(2);
        switch (random() % 3) {
          case 0:
            add(i, j, matrix.values[k]);
            break;
          case 1:
            add(i, j, half);
            add(i, j, half);
            break;
          default:
            add(i, j, half);
            if (symmetry == Symmetry::general) {
              add(i, j, half);
            } else {
              add(j, i, mirror(half));
            }
        }
      }
    }
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<I> shuffled_rows;
    std::vector<I> shuffled_cols;
    std::vector<S> shuffled_values;
    for (const std::size_t k : order) {
      shuffled_rows.push_back(rows[k]);
      shuffled_cols.push_back(cols[k]);
      shuffled_values.push_back(values[k]);
    }
    EXPECT_EQ(frond_set(solver_, "index-base", base == 0 ? "0" : "1"), FROND_SUCCESS);
    ASSERT_TRUE(succeeds(solver_, set_triplets(matrix.num_cols, symmetry, shuffled_rows, shuffled_cols, shuffled_values)));
    this->expect_solves(dense(matrix));
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CMatrix, Scalars);

TYPED_TEST(CMatrix, ByColumnsAndRowsWithAnyIndices) {
  for (const Symmetry symmetry : this->symmetries()) {
    const auto matrix = this->matrix_of(symmetry);
    const auto expected = dense(matrix);
    // The rows of A are the columns of A^T.
    const auto rows_of = symmetry == Symmetry::general ? transpose(matrix.view()) : matrix;
    const auto by_rows = symmetry == Symmetry::general ? expected : dense(matrix, Operation::transposed);
    for (const int base : {0, 1}) {
      ASSERT_EQ(frond_set(this->solver_, "index-base", base == 0 ? "0" : "1"), FROND_SUCCESS);
      const CompressedArrays<std::int32_t> columns(matrix.pattern(), base);
      ASSERT_EQ(frond_set_columns(this->solver_, 40, symmetry_of(symmetry), columns.offsets.data(), columns.indices.data(),
                                  matrix.values.data()),
                FROND_SUCCESS);
      this->expect_solves(expected);
      const CompressedArrays<std::int64_t> wide(matrix.pattern(), base);
      ASSERT_EQ(frond_set_columns_64(this->solver_, 40, symmetry_of(symmetry), wide.offsets.data(), wide.indices.data(),
                                     matrix.values.data()),
                FROND_SUCCESS);
      this->expect_solves(expected);
      const CompressedArrays<std::int32_t> rows(rows_of.pattern(), base);
      ASSERT_EQ(
          frond_set_rows(this->solver_, 40, symmetry_of(symmetry), rows.offsets.data(), rows.indices.data(), rows_of.values.data()),
          FROND_SUCCESS);
      this->expect_solves(by_rows);
      const CompressedArrays<std::int64_t> wide_rows(rows_of.pattern(), base);
      ASSERT_EQ(frond_set_rows_64(this->solver_, 40, symmetry_of(symmetry), wide_rows.offsets.data(), wide_rows.indices.data(),
                                  rows_of.values.data()),
                FROND_SUCCESS);
      this->expect_solves(by_rows);
    }
  }
}

TYPED_TEST(CMatrix, TripletsAddUpAndMayBeMirrored) {
  ASSERT_EQ(frond_set(this->solver_, "mirrored", "sum"), FROND_SUCCESS);
  for (const Symmetry symmetry : this->symmetries()) {
    this->template expect_solves_triplets<std::int32_t>(symmetry, 0);
    this->template expect_solves_triplets<std::int32_t>(symmetry, 1);
    this->template expect_solves_triplets<std::int64_t>(symmetry, 0);
    this->template expect_solves_triplets<std::int64_t>(symmetry, 1);
  }
}

// Gives both triangles of a matrix that should be given by one.
TYPED_TEST(CMatrix, AnEntryAndItsMirroredOneAreAnError) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  const std::vector<std::int32_t> offsets = {1, 3, 6, 8};
  const std::vector<std::int32_t> rows = {1, 2, 1, 2, 3, 2, 3};
  const std::vector<S> values = {S(4), S(1), S(1), S(4), S(1), S(1), S(4)};
  ASSERT_EQ(frond_set(solver, "index-base", "1"), FROND_SUCCESS);
  for (const int symmetry : {FROND_SYMMETRIC, FROND_HERMITIAN}) {
    EXPECT_EQ(frond_set_columns(solver, 3, symmetry, offsets.data(), rows.data(), values.data()), FROND_USAGE_ERROR);
    EXPECT_NE(std::string(frond_message(solver)).find("at row 2, column 1 and at row 1, column 2"), std::string::npos)
        << frond_message(solver);
    const std::vector<std::int32_t> cols = {1, 1, 2, 2, 2, 3, 3};
    EXPECT_EQ(frond_set_triplets(solver, 3, symmetry, 7, rows.data(), cols.data(), values.data()), FROND_USAGE_ERROR);
  }
  EXPECT_EQ(frond_set(solver, "mirrored", "double"), FROND_USAGE_ERROR);
  ASSERT_EQ(frond_set(solver, "mirrored", "sum"), FROND_SUCCESS);
  ASSERT_EQ(frond_set_columns(solver, 3, FROND_SYMMETRIC, offsets.data(), rows.data(), values.data()), FROND_SUCCESS);
  const auto sum =
      compress(Triplets<S>{3, 3, Symmetry::symmetric, {0, 1, 1, 2, 2}, {0, 0, 1, 1, 2}, {S(4), S(2), S(4), S(2), S(4)}});
  this->expect_solves(dense(sum));
}

// Messages number variables and entries from the caller's index base.
TYPED_TEST(CMatrix, SentencesCountAsTheCallerDoes) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  for (const std::int32_t base : {0, 1}) {
    ASSERT_EQ(frond_set(solver, "index-base", std::to_string(base).c_str()), FROND_SUCCESS);
    const std::vector<std::int32_t> offsets = {base, base + 1, base + 2};
    const std::vector<std::int32_t> rows = {base, base + 1};
    const std::vector<S> singular = {S(1), S(0)};
    ASSERT_EQ(frond_set_columns(solver, 2, FROND_GENERAL, offsets.data(), rows.data(), singular.data()), FROND_SUCCESS);
    const std::vector<S> b = {S(1), S(1)};
    std::vector<S> x(2);
    EXPECT_EQ(frond_solve(solver, FROND_PLAIN, 1, b.data(), 2, x.data(), 2), FROND_SINGULAR);
    const std::string variable = "variable " + std::to_string(1 + base) + " (counted from " + std::to_string(base) + ")";
    EXPECT_NE(std::string(frond_message(solver)).find(variable), std::string::npos) << frond_message(solver);
    const std::vector<S> infinite = {S(1), S(std::numeric_limits<RealOf<S>>::infinity())};
    ASSERT_EQ(frond_set_values(solver, 2, infinite.data()), FROND_SUCCESS);
    EXPECT_EQ(frond_factorize(solver), FROND_USAGE_ERROR);
    const std::string entry = "row " + std::to_string(1 + base) + ", column " + std::to_string(1 + base);
    EXPECT_NE(std::string(frond_message(solver)).find(entry), std::string::npos) << frond_message(solver);
  }
}

TYPED_TEST(CMatrix, AllOperations) {
  for (const Symmetry symmetry : this->symmetries()) {
    const auto matrix = this->matrix_of(symmetry);
    ASSERT_EQ(set_columns(this->solver_, matrix), FROND_SUCCESS);
    this->expect_solves(dense(matrix, Operation::transposed), FROND_TRANSPOSED);
    this->expect_solves(dense(matrix, Operation::adjoint), FROND_ADJOINT);
  }
}

TYPED_TEST(CMatrix, ValuesFollowThePattern) {
  using S = TypeParam;
  for (const Symmetry symmetry : this->symmetries()) {
    auto matrix = this->matrix_of(symmetry);
    const CompressedArrays<std::int32_t> columns(matrix.pattern(), 0);
    ASSERT_EQ(frond_set_columns(this->solver_, 40, symmetry_of(symmetry), columns.offsets.data(), columns.indices.data(), nullptr),
              FROND_SUCCESS);
    ASSERT_TRUE(succeeds(this->solver_, frond_analyze(this->solver_)));
    EXPECT_EQ(frond_factorize(this->solver_), FROND_USAGE_ERROR);
    EXPECT_NE(std::string(frond_message(this->solver_)).find("frond_set_values"), std::string::npos);
    for (int set = 0; set < 3; ++set) {
      ASSERT_EQ(frond_set_values(this->solver_, matrix.num_entries(), matrix.values.data()), FROND_SUCCESS);
      this->expect_solves(dense(matrix));
      std::int64_t num_fronts = 0;
      EXPECT_EQ(frond_get_integer(this->solver_, "fronts", &num_fronts), FROND_SUCCESS);
      std::for_each(matrix.values.begin(), matrix.values.end(), [](S& value) { value *= S(-3); });
    }
  }
}

// As by frond_set_values() and frond_factorize(); also after a singular matrix.
TYPED_TEST(CMatrix, RefactorizedAtOnce) {
  using S = TypeParam;
  for (const Symmetry symmetry : this->symmetries()) {
    auto matrix = this->matrix_of(symmetry);
    frond_solver* solver = this->solver_.get();
    ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
    ASSERT_EQ(frond_factorize(solver), FROND_SUCCESS);
    const std::vector<S> zeros(matrix.values.size(), S(0));
    EXPECT_EQ(frond_refactorize(solver, matrix.num_entries(), zeros.data()), FROND_SINGULAR);
    std::for_each(matrix.values.begin(), matrix.values.end(), [](S& value) { value *= S(-3); });
    ASSERT_EQ(frond_refactorize(solver, matrix.num_entries(), matrix.values.data()), FROND_SUCCESS) << frond_message(solver);
    this->expect_solves(testing::dense(matrix));
    ASSERT_EQ(frond_set_values(solver, matrix.num_entries(), matrix.values.data()), FROND_SUCCESS);
    this->expect_solves(testing::dense(matrix));
  }
}

// Sets a symmetric matrix that is stored as a general one, and then one that is not symmetric.
TYPED_TEST(CMatrix, SymmetryIsDetectedForEverySetOfValues) {
  const auto triangle = random_matrix<TypeParam>(40, 4, Symmetry::symmetric, Flavour::dominant, 3);
  auto matrix = expand_to_general(triangle.view());
  ASSERT_EQ(set_columns(this->solver_, matrix), FROND_SUCCESS);
  this->expect_solves(dense(matrix));
  const char* method = nullptr;
  ASSERT_EQ(frond_get_text(this->solver_, "method", &method), FROND_SUCCESS);
  EXPECT_STRNE(method, "lu");
  matrix.values.front() *= TypeParam(2);
  matrix.values[1] *= TypeParam(2);
  ASSERT_EQ(frond_set_values(this->solver_, matrix.num_entries(), matrix.values.data()), FROND_SUCCESS);
  this->expect_solves(dense(matrix));
  ASSERT_EQ(frond_get_text(this->solver_, "method", &method), FROND_SUCCESS);
  EXPECT_STREQ(method, "lu");
}

TYPED_TEST(CMatrix, OrdersZeroAndOne) {
  using S = TypeParam;
  const std::int32_t zero = 0;
  ASSERT_EQ(frond_set_columns(this->solver_, 0, FROND_GENERAL, &zero, nullptr, nullptr), FROND_SUCCESS);
  EXPECT_TRUE(succeeds(this->solver_, frond_solve(this->solver_, FROND_PLAIN, 3, nullptr, 1, nullptr, 1)));
  const std::vector<std::int32_t> offsets = {0, 1};
  const S four(4);
  const S twelve(12);
  S x(0);
  ASSERT_EQ(frond_set_columns(this->solver_, 1, FROND_GENERAL, offsets.data(), &zero, &four), FROND_SUCCESS);
  EXPECT_EQ(frond_solve(this->solver_, FROND_PLAIN, 1, &twelve, 0, &x, 0), FROND_SUCCESS);
  EXPECT_EQ(x, S(3));
}

TYPED_TEST(CMatrix, XMayTakeThePlaceOfB) {
  const auto matrix = this->matrix_of(Symmetry::general);
  ASSERT_EQ(set_columns(this->solver_, matrix), FROND_SUCCESS);
  const auto b = random_dense<TypeParam>(40, 3, 7);
  const auto expected = solution(this->solver_, b);
  auto x = b;
  EXPECT_EQ(frond_solve(this->solver_, FROND_PLAIN, 3, x.values.data(), 40, x.values.data(), 40), FROND_SUCCESS);
  EXPECT_EQ(x.values, expected.values);
}

TYPED_TEST(CMatrix, GivenOrderAndScales) {
  using R = RealOf<TypeParam>;
  for (const bool by_rows : {false, true}) {
    const auto matrix = this->matrix_of(Symmetry::general);
    const auto stored = by_rows ? transpose(matrix.view()) : matrix;
    const CompressedArrays<std::int32_t> arrays(stored.pattern(), 0);
    const auto set = by_rows ? frond_set_rows : frond_set_columns;
    ASSERT_EQ(set(this->solver_, 40, FROND_GENERAL, arrays.offsets.data(), arrays.indices.data(), stored.values.data()),
              FROND_SUCCESS);
    std::vector<std::int32_t> order(40);
    std::iota(order.rbegin(), order.rend(), 0);
    std::vector<R> rows(40);
    std::vector<R> cols(40);
    for (std::size_t i = 0; i < 40; ++i) {
      rows[i] = std::exp2(static_cast<R>(i % 5));
      cols[i] = std::exp2(-static_cast<R>(i % 7));
    }
    ASSERT_EQ(frond_set_order(this->solver_, order.data()), FROND_SUCCESS);
    ASSERT_EQ(frond_set_scales(this->solver_, rows.data(), cols.data()), FROND_SUCCESS);
    this->expect_solves(dense(matrix));
    const char* scaling = nullptr;
    ASSERT_EQ(frond_get_text(this->solver_, "scaling", &scaling), FROND_SUCCESS);
    EXPECT_STREQ(scaling, "given");
    std::vector<R> row_scales(40);
    std::vector<R> col_scales(40);
    ASSERT_EQ(frond_factor_order(this->solver_, nullptr, nullptr, nullptr, row_scales.data(), col_scales.data()), FROND_SUCCESS);
    EXPECT_EQ(row_scales, rows);
    EXPECT_EQ(col_scales, cols);
  }
}

}  // namespace
}  // namespace frond::testing
