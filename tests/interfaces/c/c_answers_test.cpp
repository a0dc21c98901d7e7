// SPDX-License-Identifier: BSD-3-Clause
// Tests that the answers of C are those of C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond::testing {
namespace {

constexpr Index kOrder = 60;

SolverOptions on_one_thread() { return {.factorization = {.num_threads = 1}}; }

template <class S>
class CAnswers : public ::testing::Test {
 protected:
  SparseMatrix<S> matrix_ = random_matrix<S>(kOrder, 4, Symmetry::general, Flavour::graded, 3);
  OwnedSolver solver_ = make_solver(kScalarOf<S>);
  DenseMatrix<S> b_ = random_dense<S>(kOrder, 3, 7);

  void SetUp() override { ASSERT_EQ(set_columns(solver_, matrix_), FROND_SUCCESS); }

  [[nodiscard]] Factorization<S> factorization(SolverOptions options = on_one_thread()) const {
    return Factorization<S>(analyze(matrix_, options), matrix_);
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CAnswers, Scalars);

TYPED_TEST(CAnswers, SolutionsHaveTheSameBits) {
  const auto factorization = this->factorization();
  for (const auto& [ours, theirs] : {std::pair(FROND_PLAIN, Operation::plain), std::pair(FROND_TRANSPOSED, Operation::transposed),
                                     std::pair(FROND_ADJOINT, Operation::adjoint)}) {
    DenseMatrix<TypeParam> x(kOrder, 3);
    ASSERT_EQ(factorization.solve(view_of(this->b_), view_of(x), theirs).verdict, Verdict::solved);
    EXPECT_EQ(solution(this->solver_, this->b_, ours).values, x.values);
  }
}

TYPED_TEST(CAnswers, FactorsStayWhereOthersCannotBeLoaded) {
  const ScratchFolder folder;
  const DenseMatrix<TypeParam> before = solution(this->solver_, this->b_);
  EXPECT_EQ(frond_load(this->solver_, folder.path("none").c_str()), FROND_INPUT_ERROR);
  EXPECT_EQ(frond_load_from_memory(this->solver_, "no factors", 10), FROND_INPUT_ERROR);
  std::int64_t entries = 0;
  EXPECT_EQ(frond_get_integer(this->solver_, "factor_entries", &entries), FROND_SUCCESS);
  EXPECT_EQ(solution(this->solver_, this->b_).values, before.values);
}

TYPED_TEST(CAnswers, SystemsOfABatchAreThoseOfOneAfterTheOther) {
  using S = TypeParam;
  constexpr int kSystems = 5;
  ASSERT_EQ(frond_set(this->solver_, "threads", "3"), FROND_SUCCESS);
  std::vector<S> values;
  for (int k = 0; k < kSystems; ++k) {
    std::transform(this->matrix_.values.begin(), this->matrix_.values.end(), std::back_inserter(values),
                   [k](S value) { return value * S(static_cast<float>(k)); });  // the first one is singular
  }
  const DenseMatrix<S> b = random_dense<S>(kOrder, 2 * kSystems, 8);
  DenseMatrix<S> x(kOrder, 2 * kSystems);
  std::vector<std::int32_t> statuses(kSystems, -1);
  std::vector<double> errors(kSystems, -1);
  EXPECT_EQ(frond_solve_batch(this->solver_, FROND_TRANSPOSED, kSystems, values.data(), 2, b.values.data(), kOrder, x.values.data(),
                              kOrder, statuses.data(), errors.data()),
            FROND_SINGULAR);
  EXPECT_EQ(std::string(frond_message(this->solver_)).substr(0, 10), "system 0: ");
  EXPECT_EQ(statuses, (std::vector<std::int32_t>{FROND_SINGULAR, 0, 0, 0, 0}));
  for (int k = 1; k < kSystems; ++k) {
    SparseMatrix<S> matrix = this->matrix_;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * this->matrix_.values.size()), matrix.values.size(),
                matrix.values.begin());
    const auto columns = [k](const DenseMatrix<S>& all) {
      DenseMatrix<S> own(kOrder, 2);
      std::copy_n(all.values.begin() + 2 * k * kOrder, 2 * kOrder, own.values.begin());
      return own;
    };
    EXPECT_LT(dense_backward_error(dense(matrix, Operation::transposed), columns(x), columns(b)),
              100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
    EXPECT_LT(errors[k], 100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  }
  const DenseMatrix<S> still = solution(this->solver_, this->b_);
  EXPECT_EQ(still.values.size(), this->b_.values.size()) << "the matrix that is set stays";
  EXPECT_EQ(frond_solve_batch(this->solver_, FROND_PLAIN, 0, nullptr, 2, nullptr, kOrder, nullptr, kOrder, nullptr, nullptr),
            FROND_SUCCESS);
}

TYPED_TEST(CAnswers, SparseSidesAndSolvesAlongTheWay) {
  using S = TypeParam;
  DenseMatrix<S> dense(kOrder, 3);
  const std::vector<std::int64_t> offsets = {0, 2, 2, 3};
  const std::vector<std::int32_t> rows = {5, 40, 7};
  const std::vector<S> values = {S(1), S(2), S(3)};
  dense(5, 0) = S(1);
  dense(40, 0) = S(2);
  dense(7, 2) = S(3);
  DenseMatrix<S> x(kOrder, 3);
  ASSERT_EQ(frond_solve_sparse(this->solver_, FROND_PLAIN, 3, offsets.data(), rows.data(), values.data(), x.values.data(), kOrder),
            FROND_SUCCESS);
  const auto a = testing::dense(this->matrix_);
  EXPECT_LE(dense_backward_error(a, x, dense), 1e-5);
  ASSERT_TRUE(succeeds(this->solver_, frond_solve_once(this->solver_, 3, this->b_.values.data(), kOrder, x.values.data(), kOrder)));
  EXPECT_LE(dense_backward_error(a, x, this->b_), 1e-5);
  double flops = 0;
  EXPECT_EQ(frond_get_real(this->solver_, "factor_flops", &flops), FROND_SUCCESS);
  EXPECT_GT(flops, 0);
}

TYPED_TEST(CAnswers, EntriesOfTheInverse) {
  const auto factorization = this->factorization();
  std::vector<TypeParam> diagonal(kOrder);
  ASSERT_EQ(frond_inverse_diagonal(this->solver_, 0, diagonal.data()), FROND_SUCCESS);
  EXPECT_EQ(diagonal, factorization.inverse_diagonal().values);
  std::vector<std::int64_t> offsets(kOrder + 1, 3);
  offsets[0] = 0;
  offsets[1] = 2;
  const std::vector<std::int32_t> rows = {3, 17, 59};
  std::vector<TypeParam> entries(3);
  ASSERT_EQ(frond_inverse_entries(this->solver_, 1, offsets.data(), rows.data(), entries.data()), FROND_SUCCESS);
  EXPECT_EQ(entries, factorization
                         .inverse_entries({kOrder, kOrder, Symmetry::general, offsets, std::span<const Index>(rows)},
                                          InverseAccuracy::refined)
                         .values);
}

TYPED_TEST(CAnswers, SchurComplements) {
  using S = TypeParam;
  SolverOptions options = on_one_thread();
  options.analysis.schur_variables = {7, 3, 50};
  const auto factorization = this->factorization(options);
  ASSERT_EQ(frond_set_schur_variables(this->solver_, 3, options.analysis.schur_variables.data()), FROND_SUCCESS);
  DenseMatrix<S> complement(3, 3);
  ASSERT_TRUE(succeeds(this->solver_, frond_schur_complement(this->solver_, complement.values.data(), 3)));
  EXPECT_EQ(complement.values, factorization.schur_complement().values);
  DenseMatrix<S> condensed(3, 3);
  ASSERT_EQ(frond_condense(this->solver_, FROND_PLAIN, 3, this->b_.values.data(), kOrder, condensed.values.data(), 3),
            FROND_SUCCESS);
  DenseMatrix<S> expected(3, 3);
  factorization.condense(view_of(this->b_), view_of(expected));
  EXPECT_EQ(condensed.values, expected.values);
  const auto x2 = random_dense<S>(3, 3, 2);
  DenseMatrix<S> x(kOrder, 3);
  ASSERT_EQ(
      frond_expand(this->solver_, FROND_PLAIN, 3, this->b_.values.data(), kOrder, x2.values.data(), 3, x.values.data(), kOrder),
      FROND_SUCCESS);
  DenseMatrix<S> expected_x(kOrder, 3);
  factorization.expand(view_of(this->b_), view_of(x2), view_of(expected_x));
  EXPECT_EQ(x.values, expected_x.values);
}

TYPED_TEST(CAnswers, WithoutASchurComplement) {
  using S = TypeParam;
  Triplets<S> entries{3, 3, Symmetry::general};
  for (const auto& [row, col, value] :
       {std::tuple(0, 2, 1.0F), {1, 1, 2.0F}, {1, 2, 1.0F}, {2, 0, 1.0F}, {2, 1, 1.0F}, {2, 2, 3.0F}}) {
    entries.add(row, col, S(value));
  }
  frond_solver* solver = this->solver_.get();
  ASSERT_EQ(set_columns(solver, compress(std::move(entries))), FROND_SUCCESS);
  const std::int32_t kept = 2;  // the only entry of the first variable couples it to this one
  ASSERT_EQ(frond_set_schur_variables(solver, 1, &kept), FROND_SUCCESS);
  const std::vector<S> b = {S(1), S(2), S(3)};
  std::vector<S> answer(3);
  const auto expect_none = [&](frond_status status) {
    EXPECT_EQ(status, FROND_SINGULAR);
    EXPECT_NE(std::string(frond_message(solver)).find("there is no Schur complement"), std::string::npos);
    EXPECT_TRUE(std::isnan(std::real(answer[0])));
    answer.assign(3, S(0));
  };
  expect_none(frond_schur_complement(solver, answer.data(), 1));
  expect_none(frond_condense(solver, FROND_PLAIN, 1, b.data(), 3, answer.data(), 1));
  expect_none(frond_expand(solver, FROND_PLAIN, 1, b.data(), 3, b.data(), 1, answer.data(), 3));
  ASSERT_TRUE(succeeds(solver, frond_solve(solver, FROND_PLAIN, 1, b.data(), 3, answer.data(), 3)));
  EXPECT_NEAR(std::abs(answer[2] - S(1)), 0, 1e-5);  // from the first equation
  expect_none(frond_schur_complement(solver, answer.data(), 1));
}

TYPED_TEST(CAnswers, SingleFactors) {
  using S = TypeParam;
  const auto factorization = this->factorization();
  auto x = this->b_;
  auto expected = this->b_;
  for (const auto& [ours, theirs] : {std::pair(FROND_LOWER, FactorPart::lower), std::pair(FROND_DIAGONAL, FactorPart::diagonal),
                                     std::pair(FROND_UPPER, FactorPart::upper)}) {
    ASSERT_EQ(frond_solve_part(this->solver_, ours, FROND_PLAIN, 3, x.values.data(), kOrder), FROND_SUCCESS);
    factorization.solve_part(theirs, Operation::plain, view_of(expected));
  }
  EXPECT_EQ(x.values, expected.values);
  const FactorOrder<S> order = factorization.factor_order();
  std::vector<std::int32_t> pivots(kOrder);
  std::vector<std::int32_t> rows(kOrder);
  std::vector<std::int32_t> cols(kOrder);
  ASSERT_EQ(frond_factor_order(this->solver_, pivots.data(), rows.data(), cols.data(), nullptr, nullptr), FROND_SUCCESS);
  EXPECT_EQ(pivots, order.pivots);
  EXPECT_EQ(rows, order.rows);
  EXPECT_EQ(cols, order.cols);
}

TYPED_TEST(CAnswers, FactorsAreSavedToFilesAndToMemory) {
  const ScratchFolder folder;
  ASSERT_TRUE(succeeds(this->solver_, frond_save(this->solver_, folder.path("factors").c_str())));
  void* bytes = nullptr;
  std::int64_t num_bytes = 0;
  ASSERT_TRUE(succeeds(this->solver_, frond_save_to_memory(this->solver_, &bytes, &num_bytes)));
  EXPECT_EQ(num_bytes, static_cast<std::int64_t>(folder.read("factors").size()));
  const auto expected = solution(this->solver_, this->b_);  // with what has been saved

  const OwnedSolver other = make_solver(kScalarOf<TypeParam>);
  ASSERT_EQ(set_columns(other, this->matrix_), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(other, frond_load(other, folder.path("factors").c_str())));
  EXPECT_EQ(solution(other, this->b_).values, expected.values);
  ASSERT_EQ(set_columns(other, this->matrix_), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(other, frond_load_from_memory(other, bytes, num_bytes)));
  EXPECT_EQ(solution(other, this->b_).values, expected.values);

  // Options of the analysis that were set before do not affect loaded factors.
  const OwnedSolver third = make_solver(kScalarOf<TypeParam>);
  int num_calls = 0;
  const auto count = [](double /*fraction*/, void* context) { ++*static_cast<int*>(context); };
  ASSERT_EQ(frond_set(third, "ordering", "amd"), FROND_SUCCESS);
  ASSERT_EQ(frond_set_progress(third, count, &num_calls), FROND_SUCCESS);
  ASSERT_EQ(set_columns(third, this->matrix_), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(third, frond_load_from_memory(third, bytes, num_bytes)));
  EXPECT_EQ(solution(third, this->b_).values, expected.values);
  EXPECT_EQ(num_calls, 0) << "nothing is factorized";
  EXPECT_EQ(frond_factorize(third), FROND_SUCCESS);
  EXPECT_GT(num_calls, 0) << "otherwise this test shows nothing";

  // truncated and corrupted bytes
  for (const std::int64_t length : {std::int64_t{0}, std::int64_t{10}, num_bytes / 2, num_bytes - 1}) {
    EXPECT_EQ(frond_load_from_memory(other, bytes, length), FROND_INPUT_ERROR);
    EXPECT_STRNE(frond_message(other), "");
  }
  static_cast<char*>(bytes)[num_bytes / 2] ^= 1;
  EXPECT_EQ(frond_load_from_memory(other, bytes, num_bytes), FROND_INPUT_ERROR);
  frond_free(bytes);
  EXPECT_EQ(solution(other, this->b_).values, expected.values) << "factorized anew";
}

TEST(CNullSpace, OfASingularLaplacian) {
  const SparseMatrix<double> matrix = singular_laplacian(4);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver), FROND_SINGULAR);
  EXPECT_NE(std::string(frond_message(solver)).find("rank is 63"), std::string::npos) << frond_message(solver);
  std::vector<double> z(64);
  std::int32_t dimension = 0;
  ASSERT_EQ(frond_null_space(solver, FROND_PLAIN, 1, z.data(), 64, &dimension), FROND_SUCCESS);
  EXPECT_EQ(dimension, 1);
  for (const double entry : z) {
    EXPECT_NEAR(std::abs(entry), 1.0 / 8, 1e-14);
  }
  const std::vector<double> ones(64, 1);
  std::vector<double> x(64);
  EXPECT_EQ(frond_solve(solver, FROND_PLAIN, 1, ones.data(), 64, x.data(), 64), FROND_SINGULAR);
  std::int64_t num_consistent = -1;
  ASSERT_EQ(frond_get_integer(solver, "consistent_right_hand_sides", &num_consistent), FROND_SUCCESS);
  EXPECT_EQ(num_consistent, 0);
  std::vector<std::int64_t> null_pivots(4);
  std::int64_t length = 0;
  ASSERT_EQ(frond_get_integers(solver, "null_pivots", 4, null_pivots.data(), &length), FROND_SUCCESS);
  EXPECT_EQ(length, 1);
}

TEST(CCheckpoint, AnotherSolverGoesOn) {
  const ScratchFolder folder;
  const SparseMatrix<double> matrix = laplacian<double>(8);
  const auto b = random_dense<double>(512, 1, 1);
  OwnedSolver first = make_solver(FROND_DOUBLE);
  ASSERT_EQ(frond_set(first, "checkpoint", folder.path("fronts").c_str()), FROND_SUCCESS);
  ASSERT_EQ(set_columns(first, matrix), FROND_SUCCESS);
  const auto expected = solution(first, b);
  first.reset();  // the directory serves one solver at a time
  const OwnedSolver second = make_solver(FROND_DOUBLE);
  ASSERT_EQ(frond_set(second, "checkpoint", folder.path("fronts").c_str()), FROND_SUCCESS);
  ASSERT_EQ(set_columns(second, matrix), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(second, frond_resume(second)));
  EXPECT_EQ(solution(second, b).values, expected.values);
}

}  // namespace
}  // namespace frond::testing
