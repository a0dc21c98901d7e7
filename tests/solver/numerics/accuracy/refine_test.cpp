// SPDX-License-Identifier: BSD-3-Clause
// Tests refinement with slightly perturbed factors.
#include "solver/numerics/accuracy/refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "factorization/factorize.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"

namespace frond {
namespace {

using testing::Flavour;

class Refine : public ::testing::Test {
 protected:
  // Factorizes the matrix with relative errors of up to `noise` in its entries, and solves with the original one.
  std::vector<ColumnReport> solve(double noise, int max_steps, const DenseMatrix<double>& b, DenseMatrix<double>& x,
                                  int max_krylov_steps = 0, double target = 0) {
    SparseMatrix<double> disturbed = matrix_;
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> error(-noise, noise);
    for (double& value : disturbed.values) {
      value *= 1 + error(generator);
    }
    const auto result = factorize<double>(symbolic_, Method::lu, disturbed.values, {}, {}, FactorizationOptions());
    const SolvePlan plan(symbolic_->tree());
    const BackwardErrorMeter<double> meter(matrix_.view(), Operation::plain);
    const SolveInPlace<double> by_factors = [&](const Sweep<double>& sweep) {
      solve_with_factors(*result.factors, plan, sweep, 1);
    };
    const RefinementOptions limits{max_steps, max_krylov_steps, target};
    testing::Calls observer(&testing::Calls::step, [this](int step) { told_steps_.push_back(step); });
    const RefinedSolve<double> refined{by_factors, Operation::plain, meter, limits, &observer};
    std::vector<ColumnReport> reports(static_cast<std::size_t>(b.num_cols));
    refined.run({b.values.data(), b.num_rows, b.num_cols, b.num_rows}, {x.values.data(), x.num_rows, x.num_cols, x.num_rows},
                reports);
    return reports;
  }

  SparseMatrix<double> matrix_ = testing::random_matrix<double>(80, 4, Symmetry::general, Flavour::dominant, 3);
  std::shared_ptr<const Symbolic> symbolic_ = analyze(matrix_.pattern());
  DenseMatrix<double> b_ = testing::random_dense<double>(80, 3, 4);
  DenseMatrix<double> x_{80, 3};
  std::vector<int> told_steps_;
};

TEST_F(Refine, StopsAtOnceWhenTheFactorsAreGood) {
  for (const ColumnReport& report : solve(0, 10, b_, x_)) {
    EXPECT_LE(report.componentwise_backward_error, 10 * 2.3e-16);
    EXPECT_LE(report.refinement_steps, 1);
  }
}

TEST_F(Refine, ReportsEachStepWhenItBegins) {
  int most_steps = 0;
  for (const ColumnReport& report : solve(1e-5, 10, b_, x_)) {
    most_steps = std::max(most_steps, report.refinement_steps);
  }
  ASSERT_GE(static_cast<int>(told_steps_.size()), most_steps);  // the last one may not have helped
  for (std::size_t k = 0; k < told_steps_.size(); ++k) {
    EXPECT_EQ(told_steps_[k], static_cast<int>(k) + 1);
  }
  told_steps_.clear();
  (void)solve(1e-5, 0, b_, x_);
  EXPECT_TRUE(told_steps_.empty());
}

TEST_F(Refine, IsContentWithTheTarget) {
  const auto content = solve(1e-5, 10, b_, x_, 0, 1e-14);
  const auto full = solve(1e-5, 10, b_, x_);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LE(content[j].componentwise_backward_error, 1e-14);
    EXPECT_LE(full[j].componentwise_backward_error, 10 * 2.3e-16);
    EXPECT_LE(content[j].refinement_steps, full[j].refinement_steps);
  }
}

TEST_F(Refine, GoesOnWhileItGetsBetterForATargetOutOfReach) {
  const auto content = solve(1e-5, 10, b_, x_);
  const auto never_content = solve(1e-5, 10, b_, x_, 0, 1e-30);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LE(never_content[j].componentwise_backward_error, content[j].componentwise_backward_error);
    EXPECT_LE(never_content[j].refinement_steps, 10);
  }
}

TEST_F(Refine, TakesNoTargetThatIsNotAccurate) {
  for (const ColumnReport& report : solve(1e-5, 10, b_, x_, 0, 1e-3)) {
    EXPECT_LE(report.componentwise_backward_error, kComponentwiseAccuracy<double>);
    EXPECT_GE(report.refinement_steps, 1);
  }
}

TEST_F(Refine, RemovesTheErrorsOfTheFactors) {
  for (const ColumnReport& report : solve(1e-5, 10, b_, x_)) {
    EXPECT_LE(report.componentwise_backward_error, 10 * 2.3e-16);
    EXPECT_GE(report.refinement_steps, 2);
  }
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix_), x_, b_), 10 * 2.3e-16);
}

TEST_F(Refine, DoesNoMoreStepsThanAllowed) {
  const auto reports = solve(1e-3, 2, b_, x_);
  for (const ColumnReport& report : reports) {
    EXPECT_EQ(report.refinement_steps, 2);
    EXPECT_GT(report.componentwise_backward_error, 1e-15);
  }
  for (const ColumnReport& report : solve(1e-3, 0, b_, x_)) {
    EXPECT_EQ(report.refinement_steps, 0);
    EXPECT_GT(report.normwise_backward_error, reports[0].normwise_backward_error);
  }
}

TEST_F(Refine, KeepsTheBestIterateWhenCorrectionsDoNotHelp) {
  const auto without = solve(50, 0, b_, x_);
  const auto with = solve(50, 10, b_, x_);
  const double reported =
      std::max({with[0].normwise_backward_error, with[1].normwise_backward_error, with[2].normwise_backward_error});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LE(with[j].componentwise_backward_error, without[j].componentwise_backward_error);
  }
  EXPECT_NEAR(testing::dense_backward_error(testing::dense(matrix_), x_, b_), reported, 1e-12);
}

TEST_F(Refine, TurnsToKrylovWhereCorrectionsStall) {
  const auto without = solve(1, 10, b_, x_);
  EXPECT_GT(without[0].componentwise_backward_error, 1e-14) << "otherwise this test shows nothing";
  for (const ColumnReport& report : solve(1, 10, b_, x_, 400)) {
    EXPECT_LE(report.componentwise_backward_error, 1e-14);
    EXPECT_GT(report.krylov_steps, 2);
    EXPECT_LE(report.krylov_steps, 400);
  }
  EXPECT_LE(testing::dense_backward_error(testing::dense(matrix_), x_, b_), 1e-14);
}

TEST_F(Refine, KeepsToTheStepsOfKrylov) {
  const auto few = solve(1, 10, b_, x_, 5);
  const auto none = solve(1, 10, b_, x_);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LE(few[j].krylov_steps, 5);
    EXPECT_LE(few[j].componentwise_backward_error, none[j].componentwise_backward_error);
  }
}

TEST_F(Refine, AnswersZeroByZeroBesideOtherColumns) {
  std::fill(b_.column(1).begin(), b_.column(1).end(), 0.0);
  const auto reports = solve(1e-5, 10, b_, x_);
  for (const double value : x_.column(1)) {
    EXPECT_EQ(value, 0);
  }
  EXPECT_EQ(reports[1].normwise_backward_error, 0);
  EXPECT_LE(reports[2].normwise_backward_error, 1e-15);
}

// Solves with diag(1, 2, ..., n) and "factors" that make relative errors of `most` in the first unknown and 1e-6 in the others.
std::vector<double> errors_of_a_course(double most, std::vector<double>& x) {
  const auto n = static_cast<Index>(x.size());
  std::vector<double> diagonal(x.size());
  std::iota(diagonal.begin(), diagonal.end(), 1.0);
  const std::vector<double> b(x.size(), 1.0);
  std::vector<double> errors;
  ColumnReport report;
  RefinementCourse<double> course({b.data(), n, 1, n}, {x.data(), n, 1, n}, {&report, 1}, {.max_steps = 20});
  for (; !course.ended(); course.advance(diagonal)) {
    double* const work = course.work().data;
    for (std::size_t i = 0; i < x.size(); ++i) {
      work[i] *= (1 - (i == 0 ? most : 1e-6)) / diagonal[i];
    }
    course.form_candidate(0);
    ColumnReport measured;
    for (std::size_t i = 0; i < x.size(); ++i) {
      course.residual(0)[i] = b[i] - diagonal[i] * course.candidate(0)[i];
      measured.improvable_backward_error =
          std::max(measured.improvable_backward_error, std::abs(course.residual(0)[i]) / (1 + std::abs(b[i])));
    }
    measured.num_missed_equations = measured.improvable_backward_error <= kComponentwiseAccuracy<double> ? 0 : 1;
    course.judge(0, measured);
    errors.push_back(measured.improvable_backward_error);
  }
  return errors;
}

TEST(RefinementCourse, RemovesErrorsInOneDirectionByTwoResidualsInARow) {
  std::vector<double> x(20);
  const std::vector<double> errors = errors_of_a_course(0.4, x);
  EXPECT_NEAR(errors[1] / errors[0], 0.4, 1e-3) << "the first correction is a plain one";
  EXPECT_LT(errors[2] / errors[1], 1e-4);
  EXPECT_LE(errors.back(), 10 * 2.3e-16);
  EXPECT_LE(errors.size(), 6U) << "plain corrections would take 35";
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i] * static_cast<double>(i + 1), 1, 1e-14);
  }
}

// Solves diag(1, 1, 1) x = (1, 0, 0) with "factors" that leave `noise` of the largest unknown in the last two, in every correction.
ColumnReport with_noise(double noise, std::vector<double>& x) {
  const auto matrix = compress(Triplets<double>{3, 3, Symmetry::general, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}});
  const BackwardErrorMeter<double> meter(matrix.view(), Operation::plain);
  const std::vector<double> b{1, 0, 0};
  const SolveInPlace<double> solve = [&](const Sweep<double>& sweep) {
    const DenseView<double> block = sweep.x;
    block(0, 0) *= 1 + noise;
    block(1, 0) += noise * std::abs(block(0, 0));
    block(2, 0) -= noise * std::abs(block(0, 0)) / 3;
  };
  ColumnReport report;
  const RefinedSolve<double> refined{solve, Operation::plain, meter};
  refined.run({b.data(), 3, 1, 3}, {x.data(), 3, 1, 3}, {&report, 1});
  return report;
}

TEST(RefinementCourse, SetsRoundingErrorsOfRoundingErrorsToZero) {
  std::vector<double> x(3);
  for (const double noise : {1e-17, 1e-13, 1e-10, 1e-8}) {
    const ColumnReport report = with_noise(noise, x);
    EXPECT_EQ(x[1], 0) << noise;
    EXPECT_EQ(x[2], 0) << noise;
    EXPECT_LE(report.componentwise_backward_error, 1e-15) << noise;
    EXPECT_EQ(report.num_missed_equations + report.num_negligible_equations, 0) << noise;
  }
}

// Solves A x = (1, 0, 0, 0) for lower triangular blocks and a coupled pair by "factors" that leave errors of up to `noise` times
// the largest unknown of each solve in all of them. In A, x_1 = 1/3 is not a number, so that no residual vanishes; x_2 is `ratio`
// of x_1, and x_3 and x_4 are 0.
ColumnReport with_noise_of_rounding(double ratio, int max_steps, std::vector<double>& x) {
  const auto matrix = compress(
      Triplets<double>{4, 4, Symmetry::general, {0, 1, 1, 2, 2, 3, 3}, {0, 0, 1, 2, 3, 2, 3}, {3, -ratio, 1, 1, 1, 1, -1}});
  const BackwardErrorMeter<double> meter(matrix.view(), Operation::plain);
  const std::vector<double> b{1, 0, 0, 0};
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> error(-1e-16, 1e-16);
  const SolveInPlace<double> solve = [&](const Sweep<double>& sweep) {
    const DenseView<double> y = sweep.x;
    const double first = y(0, 0) / 3;
    const std::vector<double> exact{first, y(1, 0) + ratio * first, (y(2, 0) + y(3, 0)) / 2, (y(2, 0) - y(3, 0)) / 2};
    const double largest = std::abs(
        *std::max_element(exact.begin(), exact.end(), [](double one, double other) { return std::abs(one) < std::abs(other); }));
    for (Index i = 0; i < 4; ++i) {
      y(i, 0) = exact[static_cast<std::size_t>(i)] + error(generator) * largest;
    }
  };
  ColumnReport report;
  const RefinedSolve<double> refined{solve, Operation::plain, meter, {.max_steps = max_steps, .max_krylov_steps = 0}};
  refined.run({b.data(), 4, 1, 4}, {x.data(), 4, 1, 4}, {&report, 1});
  return report;
}

TEST(DoubledCourse, MeetsEquationsOfUnknownsThatAreRoundingErrorsOfOthers) {
  std::vector<double> x(4);
  for (const double ratio : {1e-22, 1e-24, 1e-26}) {
    const ColumnReport before = with_noise_of_rounding(ratio, 1, x);
    EXPECT_GT(before.num_missed_equations + before.num_negligible_equations, 0) << "otherwise this test shows nothing";
    const ColumnReport report = with_noise_of_rounding(ratio, 10, x);
    EXPECT_EQ(report.num_missed_equations + report.num_negligible_equations, 0) << ratio;
    EXPECT_LE(report.componentwise_backward_error, 1e-14) << ratio;
    EXPECT_LE(report.refinement_steps, 10) << ratio;
    EXPECT_NEAR(x[1] / ratio * 3, 1, 1e-14) << ratio;
    EXPECT_EQ(x[2], 0) << ratio;
    EXPECT_EQ(x[3], 0) << ratio;
  }
}

// Judges made-up errors until the course ends; returns how many it judged.
int num_judged(const std::vector<double>& errors, double target) {
  const std::vector<double> b(3, 1.0);
  std::vector<double> x(3);
  ColumnReport report;
  int step = 0;
  RefinementCourse<double> course({b.data(), 3, 1, 3}, {x.data(), 3, 1, 3}, {&report, 1}, {.max_steps = 20, .target = target});
  for (; !course.ended(); course.advance(b)) {
    course.form_candidate(0);
    std::fill(course.residual(0).begin(), course.residual(0).end(), 1.0);
    ColumnReport measured;
    measured.improvable_backward_error = errors.at(static_cast<std::size_t>(step++));
    measured.num_missed_equations = measured.improvable_backward_error <= kComponentwiseAccuracy<double> ? 0 : 1;
    course.judge(0, measured);
  }
  return step;
}

TEST(RefinementCourse, EndsOnceTheTargetIsMet) {
  const std::vector<double> errors = {1e-10, 8e-15, 2e-15, 1e-18, 1e-40};
  EXPECT_EQ(num_judged(errors, 9e-15), 2);
  EXPECT_EQ(num_judged(errors, 0), 3) << "10 rounding units";
  EXPECT_EQ(num_judged(errors, 1e-17), 4);
  EXPECT_EQ(num_judged(errors, 1e-3), 2) << "no target is larger than what an accurate solution has";
  EXPECT_EQ(num_judged(errors, std::numeric_limits<double>::denorm_min()), 5);
  EXPECT_EQ(num_judged(errors, -1), 3);
}

}  // namespace
}  // namespace frond
