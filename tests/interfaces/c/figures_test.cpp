// SPDX-License-Identifier: BSD-3-Clause
// Tests that every figure has a type and a meaning, and the right value once it is known.
#include <gtest/gtest.h>

#include <complex>
#include <set>
#include <string>
#include <vector>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

frond_status ask(frond_solver* solver, const std::string& name, const std::string& type) {
  double real = 0;
  std::int64_t integer = 0;
  const char* text = nullptr;
  return type == "real"       ? frond_get_real(solver, name.c_str(), &real)
         : type == "integer"  ? frond_get_integer(solver, name.c_str(), &integer)
         : type == "text"     ? frond_get_text(solver, name.c_str(), &text)
         : type == "integers" ? frond_get_integers(solver, name.c_str(), 0, nullptr, &integer)
                              : frond_get_reals(solver, name.c_str(), 0, nullptr, &integer);
}

TEST(Figures, AreKnownAfterASolveWithBounds) {
  const auto matrix = random_matrix<double>(50, 4, Symmetry::symmetric, Flavour::dominant, 1);
  const auto b = random_dense<double>(50, 2, 1);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(frond_set(solver, "error-bounds", "all"), FROND_SUCCESS);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  static_cast<void>(solution(solver, b));
  std::set<std::string> names;
  for (int k = 0; frond_figure_name(k) != nullptr; ++k) {
    const std::string name = frond_figure_name(k);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_STRNE(frond_figure_meaning(name.c_str()), "") << name;
    EXPECT_EQ(ask(solver, name, frond_figure_type(name.c_str())), FROND_SUCCESS) << name << ": " << frond_message(solver);
  }
  EXPECT_GE(names.size(), 40U);
  EXPECT_EQ(frond_figure_name(-5), nullptr);
  EXPECT_EQ(frond_figure_type("colour"), nullptr);
  std::vector<double> bounds(2);
  std::int64_t length = 0;
  ASSERT_EQ(frond_get_reals(solver, "forward_error_bounds", 2, bounds.data(), &length), FROND_SUCCESS);
  EXPECT_EQ(length, 2);
  EXPECT_GT(bounds[1], 0);
  std::int64_t positive = 0;
  ASSERT_EQ(frond_get_integer(solver, "positive_eigenvalues", &positive), FROND_SUCCESS);
  EXPECT_EQ(positive, 50);
}

TEST(Figures, SignsOfEigenvaluesAreThoseOfHermitianMatrices) {
  using S = std::complex<double>;
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    const auto matrix = random_matrix<S>(40, 4, symmetry, Flavour::zero_diagonal, 1);
    const OwnedSolver solver = make_solver(FROND_COMPLEX_DOUBLE);
    ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
    const frond_status expected = symmetry == Symmetry::hermitian ? FROND_SUCCESS : FROND_USAGE_ERROR;
    std::int64_t positive = 0;
    std::int64_t negative = 0;
    std::int64_t zero = 0;
    EXPECT_EQ(frond_inertia(solver, &positive, &negative, &zero), expected) << "without a factorization before";
    EXPECT_EQ(frond_get_integer(solver, "negative_eigenvalues", &negative), expected);
    EXPECT_EQ(positive + negative + zero, expected == FROND_SUCCESS ? 40 : 0);
    EXPECT_EQ(frond_inertia(solver, nullptr, &negative, nullptr), expected);
  }
}

TEST(Figures, OfTheAnalysisAreKnownBeforeAFactorization) {
  const auto matrix = laplacian<double>(6);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  ASSERT_EQ(frond_analyze(solver), FROND_SUCCESS);
  std::int64_t predicted = 0;
  EXPECT_EQ(frond_get_integer(solver, "predicted_peak_bytes", &predicted), FROND_SUCCESS);
  EXPECT_GT(predicted, 0);
  std::int64_t bytes = 0;
  EXPECT_EQ(frond_get_integer(solver, "factor_bytes", &bytes), FROND_USAGE_ERROR);
  EXPECT_EQ(frond_factorize(solver), FROND_SUCCESS);
  EXPECT_EQ(frond_get_integer(solver, "factor_bytes", &bytes), FROND_SUCCESS);
  EXPECT_LE(bytes, predicted);
}

}  // namespace
}  // namespace frond::testing
