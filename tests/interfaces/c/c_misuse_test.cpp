// SPDX-License-Identifier: BSD-3-Clause
// Tests that invalid calls return an error with a message and leave the solver unchanged.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

using ::testing::Test;

class CMisuse : public Test {
 protected:
  OwnedSolver solver_ = make_solver(FROND_DOUBLE);
  SparseMatrix<double> matrix_ = random_matrix<double>(20, 3, Symmetry::general, Flavour::dominant, 1);
  DenseMatrix<double> b_ = random_dense<double>(20, 2, 1);
  std::vector<double> x_ = std::vector<double>(40);

  void SetUp() override { ASSERT_EQ(set_columns(solver_, matrix_), FROND_SUCCESS); }

  void expect_refused(frond_status status, const std::string& part) { testing::expect_refused(solver_, status, part); }

  frond_status columns(std::vector<std::int32_t> offsets, std::vector<std::int32_t> rows, std::vector<double> values,
                       int symmetry = FROND_GENERAL) {
    return frond_set_columns(solver_, static_cast<std::int32_t>(offsets.size()) - 1, symmetry, offsets.data(), rows.data(),
                             values.data());
  }
};

TEST_F(CMisuse, OfPatternsAndValues) {
  expect_refused(columns({1, 2}, {0}, {1}), "offsets[0]");
  expect_refused(columns({0, 2, 1}, {0, 1}, {1, 1}), "offsets[2]");
  expect_refused(columns({0, 1, 2}, {0, 2}, {1, 1}), "row 2 of entry 1");
  expect_refused(columns({0, 1, 2}, {0, -1}, {1, 1}), "row -1");
  expect_refused(columns({0, 1}, {0}, {1}, 17), "17 is no symmetry");
  expect_refused(frond_set_columns(solver_, -1, FROND_GENERAL, nullptr, nullptr, nullptr), "order");
  expect_refused(frond_set_columns(solver_, 2, FROND_GENERAL, nullptr, nullptr, nullptr), "NULL");
  expect_refused(frond_set_columns_64(solver_, std::int64_t{1} << 40U, FROND_GENERAL, nullptr, nullptr, nullptr), "order");
  expect_refused(frond_set_triplets(solver_, 2, FROND_GENERAL, -1, nullptr, nullptr, nullptr), "entries");
  expect_refused(frond_set_values(solver_, 3, b_.values.data()), "3 values");
  expect_refused(frond_set_values(solver_, matrix_.num_entries(), nullptr), "NULL");
  frond_status status = FROND_INTERNAL_ERROR;
  const auto x = solution(solver_, b_, FROND_PLAIN, &status);
  EXPECT_EQ(status, FROND_SUCCESS) << "the matrix that was set before";
  EXPECT_LE(dense_backward_error(dense(matrix_), x, b_), 1e-13);
}

TEST_F(CMisuse, OfNumbersThatNothingHas) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> zeros(3, 0);
  const std::vector<double> values(3, 1);
  const auto columns_64 = [&](std::vector<std::int64_t> offsets, std::vector<std::int64_t> rows) {
    return frond_set_columns_64(solver_, 2, FROND_GENERAL, offsets.data(), rows.data(), values.data());
  };
  for (const std::int64_t base : {0, 1}) {
    ASSERT_EQ(frond_set(solver_, "index-base", std::to_string(base).c_str()), FROND_SUCCESS);
    expect_refused(columns_64({kLeast, 1, 2}, {0, 0}), "offsets[0] is -9223372036854775808");
    expect_refused(columns_64({base, kLeast, 2}, {0, 0}), "offsets[1] is -9223372036854775808");
    expect_refused(columns_64({base, base, std::int64_t{1} << 61U}, {0, 0}), "offsets[2] is 2305843009213693952: no array");
    expect_refused(columns_64({base, base, kMost}, {0, 0}), "offsets[2] is 9223372036854775807: no array");
    expect_refused(columns_64({base, base + 1, base + 2}, {base, kLeast}), "row -9223372036854775808 of entry 1");
    expect_refused(columns_64({base, base + 1, base + 2}, {base, kMost}), "row 9223372036854775807 of entry 1");
    const std::vector<std::int64_t> cols{kLeast};
    expect_refused(frond_set_triplets_64(solver_, 2, FROND_GENERAL, 1, cols.data(), cols.data(), values.data()), "row -922");
    expect_refused(frond_set_triplets_64(solver_, 2, FROND_GENERAL, kMost, zeros.data(), zeros.data(), values.data()),
                   "number of entries is 9223372036854775807");
  }
  ASSERT_EQ(frond_set(solver_, "index-base", "0"), FROND_SUCCESS);
  std::vector<std::int64_t> offsets(21, 0);
  offsets[20] = std::int64_t{1} << 61U;
  const std::int32_t row = 0;
  double* x = x_.data();
  expect_refused(frond_inverse_entries(solver_, 0, offsets.data(), &row, x), "offsets[20] is 23058");
  offsets[2] = std::int64_t{1} << 61U;
  expect_refused(frond_solve_sparse(solver_, FROND_PLAIN, 2, offsets.data(), &row, x, x, 20), "offsets[2] is 23058");
  constexpr std::int32_t kMostColumns = std::numeric_limits<std::int32_t>::max();
  expect_refused(frond_solve(solver_, FROND_PLAIN, kMostColumns, x, kMostColumns, x, kMostColumns), "no array");
  expect_refused(frond_solve_batch(solver_, FROND_PLAIN, kMost, x, 0, x, 20, x, 20, nullptr, nullptr), "columns");
}

TEST_F(CMisuse, OfNumbersThatAreNone) {
  std::vector<double> values = matrix_.values;
  values[5] = std::numeric_limits<double>::quiet_NaN();
  ASSERT_EQ(frond_set_values(solver_, matrix_.num_entries(), values.data()), FROND_SUCCESS);
  expect_refused(frond_factorize(solver_), "not a finite number");
  ASSERT_EQ(frond_set_values(solver_, matrix_.num_entries(), matrix_.values.data()), FROND_SUCCESS);
  auto b = b_;
  b.values[3] = std::numeric_limits<double>::infinity();
  expect_refused(frond_solve(solver_, FROND_PLAIN, 2, b.values.data(), 20, x_.data(), 20), "finite");
  const std::vector<double> scales(20, -1);
  expect_refused(frond_set_scales(solver_, scales.data(), scales.data()), "rows[0] is -1");
}

// Refused values leave the factors; those that cannot be factorized leave the matrix.
TEST_F(CMisuse, OfValuesToBeFactorized) {
  frond_solver* solver = solver_.get();
  const std::int64_t count = matrix_.num_entries();
  EXPECT_EQ(frond_refactorize(make_solver(FROND_DOUBLE).get(), 0, nullptr), FROND_USAGE_ERROR);
  const auto before = solution(solver, b_);
  expect_refused(frond_refactorize(solver, 3, b_.values.data()), "3 values");
  expect_refused(frond_refactorize(solver, count, nullptr), "NULL");
  std::vector<double> values = matrix_.values;
  values[5] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(frond_refactorize(solver, count, values.data()), "not a finite number");
  std::int64_t number = 0;
  EXPECT_EQ(frond_get_integer(solver, "factor_entries", &number), FROND_SUCCESS) << "the factors are still there";
  EXPECT_EQ(solution(solver, b_).values, before.values);

  ASSERT_EQ(frond_set(solver, "memory-limit", "1kB"), FROND_SUCCESS);
  EXPECT_EQ(frond_refactorize(solver, count, std::vector<double>(values.size(), 1).data()), FROND_MEMORY_ERROR);
  EXPECT_EQ(frond_get_integer(solver, "factor_entries", &number), FROND_USAGE_ERROR) << "there are no factors";
  ASSERT_EQ(frond_set(solver, "memory-limit", "1GB"), FROND_SUCCESS);
  EXPECT_EQ(solution(solver, b_).values, before.values);
}

TEST_F(CMisuse, OfSides) {
  const double* b = b_.values.data();
  expect_refused(frond_solve(solver_, FROND_PLAIN, -1, b, 20, x_.data(), 20), "-1");
  expect_refused(frond_solve(solver_, FROND_PLAIN, 2, b, 19, x_.data(), 20), "19 apart");
  expect_refused(frond_solve(solver_, FROND_PLAIN, 2, b, 20, x_.data(), std::int64_t{1} << 40U), "apart");
  expect_refused(frond_solve(solver_, FROND_PLAIN, 2, nullptr, 20, x_.data(), 20), "b is NULL");
  expect_refused(frond_solve(solver_, FROND_PLAIN, 2, b, 20, nullptr, 20), "x is NULL");
  expect_refused(frond_solve(solver_, 9, 2, b, 20, x_.data(), 20), "9 is no operation");
  expect_refused(frond_solve_part(solver_, 9, FROND_PLAIN, 2, x_.data(), 20), "9 is no part");
  expect_refused(frond_schur_complement(solver_, x_.data(), 20), "no Schur complement");
  EXPECT_EQ(frond_solve(solver_, FROND_PLAIN, 0, nullptr, 0, nullptr, 0), FROND_SUCCESS);
}

TEST_F(CMisuse, OfOrdersAndVariables) {
  std::vector<std::int32_t> order(20, 0);
  expect_refused(frond_set_order(solver_, order.data()), "order[1]");
  expect_refused(frond_set_schur_variables(solver_, 2, order.data()), "variables[1]");
  order[3] = 20;
  expect_refused(frond_set_order(solver_, order.data()), "order[3]");
  expect_refused(frond_set_schur_variables(solver_, 1, nullptr), "NULL");
  expect_refused(frond_set_schur_variables(solver_, -2, nullptr), "-2");
  EXPECT_EQ(frond_factorize(solver_), FROND_SUCCESS);
}

TEST_F(CMisuse, OfEmptyAndMissingSolvers) {
  const OwnedSolver empty = make_solver(FROND_DOUBLE);
  EXPECT_EQ(frond_factorize(empty), FROND_USAGE_ERROR);
  EXPECT_NE(std::string(frond_message(empty)).find("frond_set_columns"), std::string::npos);
  EXPECT_EQ(frond_set_values(empty, 0, nullptr), FROND_USAGE_ERROR);
  EXPECT_EQ(frond_factorize(nullptr), FROND_USAGE_ERROR);
  EXPECT_NE(std::string(frond_message(nullptr)).find("NULL"), std::string::npos);
  EXPECT_EQ(frond_create(FROND_DOUBLE, nullptr), FROND_USAGE_ERROR);
  EXPECT_STREQ(frond_message(nullptr), "the argument solver is NULL");
  auto* solver = solver_.get();
  EXPECT_EQ(frond_create(11, &solver), FROND_USAGE_ERROR);
  EXPECT_EQ(solver, nullptr);
  EXPECT_NE(std::string(frond_message(solver)).find("11 is no kind of numbers"), std::string::npos);
  std::thread([] { EXPECT_NE(std::string(frond_message(nullptr)).find("there is no solver"), std::string::npos); }).join();
  static_cast<void>(make_solver(FROND_DOUBLE));
  EXPECT_NE(std::string(frond_message(nullptr)).find("there is no solver"), std::string::npos);
  frond_destroy(nullptr);
}

TEST_F(CMisuse, OfFigures) {
  double real = 0;
  std::int64_t integer = 0;
  expect_refused(frond_get_real(solver_, "backward_error", &real), "nothing has been analysed");
  EXPECT_EQ(frond_factorize(solver_), FROND_SUCCESS);
  expect_refused(frond_get_real(solver_, "backward_error", &real), "solved nothing");
  expect_refused(frond_get_real(solver_, "factor_flop", &real), "factor_flops");
  expect_refused(frond_get_integer(solver_, "factor_flops", &integer), "type real");
  expect_refused(frond_get_real(solver_, nullptr, &real), "name is NULL");
  expect_refused(frond_get_real(solver_, "factor_flops", nullptr), "value is NULL");
  expect_refused(frond_get_integer(solver_, "negative_eigenvalues", &integer), "does not exist");
}

TEST_F(CMisuse, OfCheckpointsThatAreNot) { expect_refused(frond_resume(solver_), "option checkpoint"); }

TEST_F(CMisuse, OfCallbacksLeavesNoMessageOfTheCallAroundThem) {
  const auto stop = [](void* solver) {
    double fraction = 0;
    return frond_get_real(static_cast<frond_solver*>(solver), "factor_flops", &fraction) == FROND_USAGE_ERROR ? 0 : 1;
  };
  ASSERT_EQ(frond_set_stop(solver_, stop, solver_), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver_), FROND_SUCCESS);
  EXPECT_STREQ(frond_message(solver_), "");
}

TEST_F(CMisuse, TimeLimitsAreNamed) {
  ASSERT_EQ(frond_set(solver_, "time-limit", "1e-9"), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver_), FROND_STOPPED);
  EXPECT_NE(std::string(frond_message(solver_)).find("time-limit"), std::string::npos) << frond_message(solver_);
}

TEST_F(CMisuse, MessagesGoWithTheNextCall) {
  EXPECT_EQ(frond_set(solver_, "colour", "red"), FROND_USAGE_ERROR);
  EXPECT_STRNE(frond_message(solver_), "");
  EXPECT_EQ(frond_set(solver_, "threads", "1"), FROND_SUCCESS);
  EXPECT_STREQ(frond_message(solver_), "");
}

TEST(CStatus, AllHaveNames) {
  EXPECT_STREQ(frond_status_name(FROND_SUCCESS), "FROND_SUCCESS");
  EXPECT_STREQ(frond_status_name(FROND_STOPPED), "FROND_STOPPED");
  EXPECT_STREQ(frond_status_name(99), "unknown status");
  EXPECT_NE(std::string(frond_version()), "");
}

TEST(CVerdict, NotPositiveDefinite) {
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  const std::vector<std::int32_t> offsets = {0, 2, 3};
  const std::vector<std::int32_t> rows = {0, 1, 1};
  const std::vector<double> values = {1, 2, 1};
  const std::vector<double> b = {1, 1};
  std::vector<double> x(2);
  ASSERT_EQ(frond_set_columns(solver, 2, FROND_SYMMETRIC, offsets.data(), rows.data(), values.data()), FROND_SUCCESS);
  ASSERT_EQ(frond_set(solver, "method", "cholesky"), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver), FROND_NOT_POSITIVE_DEFINITE);
  EXPECT_EQ(frond_solve(solver, FROND_PLAIN, 1, b.data(), 2, x.data(), 2), FROND_NOT_POSITIVE_DEFINITE);
  EXPECT_STRNE(frond_message(solver), "");
  ASSERT_EQ(frond_set(solver, "method", "automatic"), FROND_SUCCESS);
  EXPECT_EQ(frond_solve(solver, FROND_PLAIN, 1, b.data(), 2, x.data(), 2), FROND_SUCCESS);
  EXPECT_NEAR(x[0], 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace frond::testing
