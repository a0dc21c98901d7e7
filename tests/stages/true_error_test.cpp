// SPDX-License-Identifier: BSD-3-Clause
// Checks the reported errors of single equations by measuring them again in quadruple precision, for systems whose entries and
// unknowns differ widely in magnitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "solver/numerics/problem/report.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

__extension__ using Quad = __float128;

struct TrueErrors {
  double largest = 0;  // |b - A x|_i / (|A| |x| + |b|)_i
  Index num_missed = 0;
  Index longest_row = 0;
};

TrueErrors true_errors(const SparseMatrix<double>& matrix, std::span<const double> x, std::span<const double> b) {
  struct Equation {
    Quad residual;
    Quad size;
    Index num_entries = 0;
  };
  const auto magnitude = [](Quad value) { return value < 0 ? -value : value; };
  std::vector<Equation> equations;
  for (const double value : b) {
    equations.push_back({value, magnitude(value)});
  }
  testing::for_each_entry(matrix, [&](Index i, Index j, double value) {
    Equation& equation = equations[i];
    const Quad term = static_cast<Quad>(value) * static_cast<Quad>(x[j]);
    equation.residual -= term;
    equation.size += magnitude(term);
    ++equation.num_entries;
  });
  TrueErrors errors;
  for (const Equation& equation : equations) {
    const double ratio = equation.residual == 0 ? 0 : static_cast<double>(magnitude(equation.residual) / equation.size);
    errors.largest = std::max(errors.largest, ratio);
    errors.longest_row = std::max(errors.longest_row, equation.num_entries);
    errors.num_missed += ratio > std::max(45.0, equation.num_entries + 4.0) * std::numeric_limits<double>::epsilon() ? 1 : 0;
  }
  return errors;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}
  double between(double least, double most) { return std::uniform_real_distribution<double>(least, most)(generator_); }
  Index below(Index end) { return std::uniform_int_distribution<Index>(0, end - 1)(generator_); }
  std::vector<Index> permutation(Index order) {
    std::vector<Index> perm(static_cast<std::size_t>(order));
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), generator_);
    return perm;
  }

 private:
  std::mt19937_64 generator_;
};

enum class Kind { permuted_triangle, wide_range, saddle_point };

// Returns a matrix whose entries span 10^-range to 10^range.
SparseMatrix<double> matrix_of(Kind kind, Index order, double range, Draw& draw) {
  const auto sized = [&] { return std::pow(10.0, draw.between(-range, range)); };
  Triplets<double> entries{order, order, kind == Kind::saddle_point ? Symmetry::symmetric : Symmetry::general};
  const std::vector<Index> rows = draw.permutation(order);
  const std::vector<Index> cols = draw.permutation(order);
  if (kind == Kind::saddle_point) {
    const Index num_constraints = order / 3;
    const Index num_unknowns = order - num_constraints;
    for (Index i = 0; i < num_unknowns; ++i) {
      entries.add(i, i, sized());
    }
    for (Index i = 0; i < num_constraints; ++i) {
      entries.add(num_unknowns + i, i, 1.0);
      entries.add(num_unknowns + i, num_constraints + draw.below(num_unknowns - num_constraints), -1.0);
    }
    return compress(std::move(entries));
  }
  for (Index i = 0; i < order; ++i) {
    const auto row = static_cast<std::size_t>(i);
    entries.add(rows[row], cols[row], (kind == Kind::wide_range ? 3 : 1) * sized());
    for (int count = 0; count < 3; ++count) {
      const Index other = draw.below(order);
      if (kind == Kind::wide_range) {
        entries.add(rows[row], cols[other], draw.between(0, 1) * sized());
      } else if (other > i) {
        entries.add(rows[row], cols[other], draw.between(-3, 3));
      }
    }
  }
  return compress(std::move(entries));
}

// Returns b = A x with x of ones or of ones and zeros, or a column of the identity as b.
DenseMatrix<double> side_of(int kind, const SparseMatrix<double>& matrix, Draw& draw) {
  DenseMatrix<double> b(matrix.num_rows, 1);
  if (kind == 2) {
    b(draw.below(matrix.num_rows), 0) = 1;
    return b;
  }
  std::vector<double> x(static_cast<std::size_t>(matrix.num_rows), 1.0);
  for (double& value : x) {
    value = kind == 1 && draw.below(2) == 0 ? 0 : value;
  }
  multiply<double>(matrix.view(), Operation::plain, x, b.column(0));
  return b;
}

void expect_true(const SolveReport& report, const TrueErrors& errors) {
  const ColumnReport& column = report.columns.front();
  const double rounding = (errors.longest_row + 4) * std::numeric_limits<double>::epsilon();
  EXPECT_LE(std::abs(column.componentwise_backward_error - errors.largest), std::max(errors.largest, rounding))
      << errors.largest << ": " << report.describe();
  EXPECT_EQ(column.num_missed_equations + column.num_negligible_equations > 0, errors.num_missed > 0) << report.describe();
  EXPECT_LE(column.negligible_size, 1e-14) << report.describe();
  EXPECT_EQ(report.verdict == Verdict::solved, column.num_missed_equations == 0) << report.describe();
}

class TrueError : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Systems, TrueError, ::testing::Values(Kind::permuted_triangle, Kind::wide_range, Kind::saddle_point));

TEST_P(TrueError, IsWhatIsSaidAndWhatWasAskedFor) {
  int num_tried = 0;
  int num_solved = 0;
  Index num_negligible = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds(60); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Draw draw(seed);
    const Index order = 8 + draw.below(150);
    const auto matrix = matrix_of(GetParam(), order, draw.between(2, 16), draw);
    const DenseMatrix<double> b = side_of(static_cast<int>(seed % 3), matrix, draw);
    DenseMatrix<double> x(order, 1);
    const SolveReport report = factorize<double>(matrix, {})->solve(b, x);
    ASSERT_NE(report.verdict, Verdict::singular) << report.describe();
    if (is_led_here()) {
      const SparseMatrix<double> whole = expand_to_general(matrix.view());
      expect_true(report, true_errors(whole, std::as_const(x).column(0), b.column(0)));
    }
    ++num_tried;
    num_solved += report.verdict == Verdict::solved ? 1 : 0;
    num_negligible += report.worst().num_negligible_equations;
  }
  EXPECT_EQ(num_solved, num_tried);
  EXPECT_EQ(num_negligible, 0);
}

// Without a threshold for pivots one step of refinement does not always suffice. Other factors then replace them, for later solves
// as well.
TEST(OtherFactors, SolveWhatTheFirstDoNot) {
  const auto is_said = [](const SolveReport& report) {
    return std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) {
      return note.find("the matrix was factorized once more, ") != std::string::npos;
    });
  };
  std::uint64_t num_on_other_ways = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds(150); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Draw draw(seed);
    const Index order = 20 + draw.below(80);
    const auto matrix = matrix_of(Kind::wide_range, order, draw.between(10, 18), draw);
    const DenseMatrix<double> b = side_of(0, matrix, draw);
    DenseMatrix<double> x(order, 1);
    StageOptions options;
    options.solver.refinement = {.max_steps = 1, .max_krylov_steps = 0};
    options.solver.factorization.pivoting.pivot_threshold = 0;
    const auto factorization = factorize<double>(matrix, options);
    const SolveReport report = factorization->solve(b, x);
    if (!is_said(report)) {
      continue;
    }
    ++num_on_other_ways;
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    if (is_led_here()) {
      expect_true(report, true_errors(matrix, std::as_const(x).column(0), b.column(0)));
    }
    EXPECT_TRUE(is_said(factorization->solve(b, x)));
  }
  EXPECT_GE(num_on_other_ways, num_seeds(5));
  RecordProperty("solved_on_other_ways", static_cast<int>(num_on_other_ways));
}

}  // namespace
}  // namespace frond::stages
