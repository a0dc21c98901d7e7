// SPDX-License-Identifier: BSD-3-Clause
// Tests the factors one by one, each found by solves with it, and their product.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

#include "frond/error.hpp"
#include "matrices/symmetry.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::stages {
namespace {

using test::Wide;
using test::WideDense;
using testing::Flavour;

// True if rows and columns can be permuted so that nothing is above the diagonal: repeatedly takes a row with a single remaining
// entry, and removes the column of that entry.
template <class W>
bool is_triangular_in_some_order(const test::EigenMatrix<W>& m) {
  std::vector<bool> has_row(static_cast<std::size_t>(m.rows()), true);
  std::vector<bool> has_column(static_cast<std::size_t>(m.cols()), true);
  for (Eigen::Index step = 0; step < m.rows(); ++step) {
    bool is_found = false;
    for (Eigen::Index i = 0; i < m.rows() && !is_found; ++i) {
      Eigen::Index num_left = 0;
      Eigen::Index last = 0;
      for (Eigen::Index j = 0; j < m.cols() && has_row[i]; ++j) {
        if (has_column[j] && m(i, j) != W(0)) {
          ++num_left;
          last = j;
        }
      }
      if (num_left == 1) {
        has_row[i] = false;
        has_column[last] = false;
        is_found = true;
      }
    }
    if (!is_found) {
      return false;
    }
  }
  return true;
}

// Returns the inverse, from solve(x) with the identity; if complex, with i times the identity, so that a wrong conjugation shows.
template <Scalar S, class Solve>
WideDense<S> inverse_by_solves(Index order, const Solve& solve) {
  S unit = S(1);
  if constexpr (kIsComplex<S>) {
    unit = S(0, 1);
  }
  DenseMatrix<S> x(order, order);
  for (Index i = 0; i < order; ++i) {
    x(i, i) = unit;
  }
  solve(x);
  return test::wide(x) / test::Wide<S>(unit);
}

template <class S>
constexpr Symmetry kDefinite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;

template <class S>
class SolvePart : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 60;
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  using Matrix = WideDense<S>;

  /// The inverses of op(L), op(D) and op(U).
  struct Inverses {
    Matrix lower;
    Matrix diagonal;
    Matrix upper;
  };

  // Returns the inverse of op(part) on the leading rank.
  static Matrix inverse_part(StagedFactorization<S>& factorization, FactorPart part, Operation operation) {
    return inverse_by_solves<S>(kOrder, [&](DenseMatrix<S>& x) { factorization.solve_part(part, operation, x); });
  }

  static Inverses inverse_parts(StagedFactorization<S>& factorization, Operation operation) {
    Inverses inverses;
    inverses.lower = inverse_part(factorization, FactorPart::lower, operation);
    inverses.diagonal = inverse_part(factorization, FactorPart::diagonal, operation);
    inverses.upper = inverse_part(factorization, FactorPart::upper, operation);
    return inverses;
  }

  static double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

  void expect_parts(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const StageOptions& options) {
    const auto factorization = factorize(matrix, options);
    const FactorizationReport& report = factorization->report().factorization;
    ASSERT_EQ(report.status, FactorizationStatus::success);
    num_delayed_ += report.num_delayed_pivots;
    num_two_by_two_ += report.num_two_by_two;
    spread_ += factorization->spread();
    const Inverses plain = inverse_parts(*factorization, Operation::plain);
    const Inverses transposed = inverse_parts(*factorization, Operation::transposed);
    const Inverses adjoint = inverse_parts(*factorization, Operation::adjoint);
    if (is_led_here()) {  // other ranks hold no parts
      const Matrix a = test::wide(dense);
      const Method method = factorization->report().method;
      expect_solutions(plain, transposed, adjoint, a);
      expect_operations(plain, transposed, adjoint);
      expect_matrix(plain, a, method);
      expect_shapes(plain, method);
      if (is_one_process()) {  // ranks do not know the whole order
        expect_shapes_in_order(plain, method, factorization->calls().factor_order());
      }
      expect_inertia(plain.diagonal, a, method);
    }
  }

  // Applying one part after another solves with op(A).
  static void expect_solutions(const Inverses& plain, const Inverses& transposed, const Inverses& adjoint, const Matrix& a) {
    const Matrix b = test::wide(testing::random_dense<S>(kOrder, 3, 7));
    const double tolerance = 10 * kEps * a.norm() * test::inverse(a).norm();
    const auto expect_solution = [&](const Matrix& x, const Matrix& op_a) {
      const Matrix solution = test::solution(op_a, b);
      EXPECT_LE((x - solution).norm(), tolerance * solution.norm());
    };
    expect_solution(plain.upper * (plain.diagonal * (plain.lower * b)), a);
    expect_solution(transposed.lower * (transposed.diagonal * (transposed.upper * b)), a.transpose());
    expect_solution(adjoint.lower * (adjoint.diagonal * (adjoint.upper * b)), a.adjoint());
  }

  static void expect_operations(const Inverses& plain, const Inverses& transposed, const Inverses& adjoint) {
    for (const auto part : {&Inverses::lower, &Inverses::diagonal, &Inverses::upper}) {
      const Matrix& one = plain.*part;
      const double tolerance = kEps * one.norm() * one.norm();
      EXPECT_LE(largest(transposed.*part - one.transpose()), tolerance);
      EXPECT_LE(largest(adjoint.*part - one.adjoint()), tolerance);
    }
  }

  // Checks that L D U = A and that the product of their inverses is that of A; for Cholesky, L L^H = A.
  static void expect_matrix(const Inverses& inverses, const Matrix& a, Method method) {
    const Matrix inverse = test::product(inverses.upper, test::product(inverses.diagonal, inverses.lower));
    const double size = inverses.upper.norm() * inverses.diagonal.norm() * inverses.lower.norm();
    EXPECT_LE(largest(test::product(inverse, a) - Matrix::Identity(kOrder, kOrder)), kEps * size * a.norm());
    const Matrix lower = test::inverse(inverses.lower);
    const Matrix diagonal = test::inverse(inverses.diagonal);
    const Matrix upper = test::inverse(inverses.upper);
    EXPECT_LE(largest(test::product(lower, test::product(diagonal, upper)) - a),
              kEps * lower.norm() * diagonal.norm() * upper.norm());
    if (method == Method::cholesky) {
      EXPECT_LE(largest(lower * lower.adjoint() - a), 5 * kEps * a.norm());
    }
  }

  static void expect_shapes(const Inverses& inverses, Method method) {
    EXPECT_TRUE(is_triangular_in_some_order(inverses.lower));
    EXPECT_TRUE(is_triangular_in_some_order(inverses.upper));
    const Matrix& d = inverses.diagonal;
    if (method == Method::cholesky || method == Method::lu) {
      EXPECT_EQ(d, Matrix::Identity(kOrder, kOrder));
    } else {
      EXPECT_LE((d.array() != Wide<S>(0)).colwise().count().maxCoeff(), 2);
      EXPECT_LE((d.array() != Wide<S>(0)).rowwise().count().maxCoeff(), 2);
    }
    if (method != Method::lu) {
      const auto mirrored = [&](const Matrix& m) { return method == Method::ldlt ? Matrix(m.transpose()) : Matrix(m.adjoint()); };
      const Matrix& l = inverses.lower;
      EXPECT_LE(largest(inverses.upper - mirrored(l)), kEps * l.norm() * l.norm());
      EXPECT_LE(largest(d - mirrored(d)), 5 * kEps * d.norm());
    }
  }

  // Returns M(rows[k], cols[l]), with each row and column divided by its scale.
  static Matrix in_order(const Matrix& m, const std::vector<Index>& rows, const std::vector<Index>& cols,
                         const std::vector<RealOf<S>>& row_scaling, const std::vector<RealOf<S>>& col_scaling) {
    const auto unscaled = [](const std::vector<RealOf<S>>& scaling, Index i) {
      return scaling.empty() ? 1.0 : 1.0 / static_cast<double>(scaling[i]);
    };
    Matrix result(m.rows(), m.cols());
    for (Index l = 0; l < m.cols(); ++l) {
      for (Index k = 0; k < m.rows(); ++k) {
        const Index i = rows[k];
        const Index j = cols[l];
        result(k, l) = m(i, j) * unscaled(row_scaling, i) * unscaled(col_scaling, j);
      }
    }
    return result;
  }

  // L^-1 = (by pivots and rows), U^-1 = (by columns and pivots)
  static void expect_shapes_in_order(const Inverses& inverses, Method method, const FactorOrder<S>& order) {
    const Matrix l = in_order(inverses.lower, order.pivots, order.rows, {}, order.row_scaling);
    const Matrix u = in_order(inverses.upper, order.cols, order.pivots, order.col_scaling, {});
    const Matrix d = in_order(inverses.diagonal, order.pivots, order.pivots, {}, {});
    EXPECT_EQ(largest(l.template triangularView<Eigen::StrictlyUpper>()), 0);
    EXPECT_EQ(largest(u.template triangularView<Eigen::StrictlyLower>()), 0);
    const bool is_diagonal_one = method == Method::cholesky || method == Method::lu;
    for (Index k = 0; k < kOrder; ++k) {
      for (Index i = 0; i < kOrder; ++i) {
        EXPECT_TRUE(std::abs(i - k) <= 1 || d(i, k) == Wide<S>(0));
      }
      EXPECT_EQ((is_diagonal_one ? d : l)(k, k), Wide<S>(1));
    }
    if (method != Method::lu) {
      const bool is_hermitian = method != Method::ldlt;
      EXPECT_LE(largest(u - (is_hermitian ? Matrix(l.adjoint()) : Matrix(l.transpose()))), 20 * kEps * l.norm() * l.norm());
    }
  }

  // In every layout, without and with a matching.
  void expect_parts_all_ways(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, StageOptions options = {}) {
    for (const Use matching : {Use::never, Use::always}) {
      options.solver.analysis.ordering.matching = matching;
      for (const Layout layout : layouts()) {
        options.layout = layout;
        expect_parts(matrix, dense, options);
      }
    }
  }

  // Checks the parts against those of one process with the same order.
  void expect_parts_of_one_process(const SparseMatrix<S>& matrix, StageOptions options) {
    const auto several = factorize<S>(matrix, options);
    options.solver.analysis.ordering = {.kind = OrderingKind::given, .perm = several->symbolic().permutation().perm};
    options.solver.factorization.num_threads = 1;
    const Factorization<S> one(frond::analyze(matrix, options.solver), matrix);
    for (const FactorPart part : {FactorPart::lower, FactorPart::diagonal, FactorPart::upper}) {
      const Matrix found = inverse_part(*several, part, Operation::plain);
      const auto expected =
          inverse_by_solves<S>(kOrder, [&](DenseMatrix<S>& x) { one.solve_part(part, Operation::plain, view_of(x)); });
      if (is_led_here()) {
        EXPECT_LE((found - expected).norm(), 10 * kEps * expected.norm()) << "part " << static_cast<int>(part);
      }
    }
  }

  // Checks that D has as many eigenvalues of each sign as A (Sylvester's law of inertia).
  static void expect_inertia(const Matrix& inverse_diagonal, const Matrix& a, Method method) {
    if (method == Method::ldlh || (method == Method::ldlt && !kIsComplex<S>)) {
      const Eigen::VectorXd of_d = test::eigenvalues(inverse_diagonal);
      const Eigen::VectorXd of_a = test::eigenvalues(a);
      EXPECT_EQ((of_d.array() < 0).count(), (of_a.array() < 0).count());
      EXPECT_EQ((of_d.array() > 0).count(), (of_a.array() > 0).count());
    }
  }

  Count num_delayed_ = 0;  // over all factorizations whose parts were found
  Count num_two_by_two_ = 0;
  Spread spread_;
};
TYPED_TEST_SUITE(SolvePart, test::Scalars);

TYPED_TEST(SolvePart, WithoutDelays) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, kDefinite<S>}) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::dominant, 2);
    this->expect_parts_all_ways(matrix, testing::dense(matrix));
    for (const Layout layout : layouts()) {
      this->expect_parts_of_one_process(matrix, {{}, layout});
    }
  }
  EXPECT_EQ(this->num_delayed_, 0);
  expect_spread(this->spread_);
}

TYPED_TEST(SolvePart, WithDelays) {
  using S = TypeParam;
  std::vector<Symmetry> symmetries = {Symmetry::general, Symmetry::symmetric};
  if (kIsComplex<S>) {
    symmetries.push_back(Symmetry::hermitian);
  }
  for (const Symmetry symmetry : symmetries) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::zero_diagonal, 2);
    this->expect_parts_all_ways(matrix, testing::dense(matrix));
    for (const Layout layout : layouts()) {
      this->expect_parts(SystemMatrix<S>(matrix.view(), true), testing::dense(matrix, Operation::transposed), {{}, layout});
    }
  }
  EXPECT_GT(this->num_delayed_, 0);
  EXPECT_GT(this->num_two_by_two_, 0);
}

TYPED_TEST(SolvePart, OfBlocksOnTheDiagonal) {
  using S = TypeParam;
  StageOptions options;
  options.solver.analysis.block_triangular = Use::always;
  std::uint64_t seed = 40;
  for (const testing::Shuffle shuffle : {testing::Shuffle::alike, testing::Shuffle::apart}) {
    for (const std::vector<Index>& blocks : {std::vector<Index>(60, 1), std::vector<Index>{1, 20, 2, 1, 30, 1, 5}}) {
      const auto matrix = testing::reducible_matrix<S>(blocks, 2, shuffle, ++seed);
      ASSERT_TRUE(analyse<S>(matrix, options)->symbolic().blocks().splits());
      this->expect_parts_all_ways(matrix, testing::dense(matrix), options);
      this->expect_parts(SystemMatrix<S>(matrix.view(), true), testing::dense(matrix, Operation::transposed), options);
    }
  }
}

// Without scales, and with them U^-1 U^-H = A^-1, as used to sample a normal distribution.
TYPED_TEST(SolvePart, OfCholesky) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(this->kOrder, 3, kDefinite<S>, Flavour::dominant, 2);
  StageOptions unscaled;
  unscaled.solver.scaling = ScalingKind::none;
  this->expect_parts(matrix, testing::dense(matrix), unscaled);
  const auto factor = this->inverse_part(*factorize<S>(matrix, {}), FactorPart::lower, Operation::adjoint);
  if (is_led_here()) {
    const WideDense<S> square = test::product(factor, WideDense<S>(factor.adjoint()));
    const WideDense<S> residual = test::product(square, test::wide(testing::dense(matrix)));
    EXPECT_LE(this->largest(residual - WideDense<S>::Identity(this->kOrder, this->kOrder)), 1e3 * this->kEps);
  }
}

TEST(SolvePartOfDoubles, RefusesWhatCannotBe) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::zero_diagonal, 15);
  std::vector<double> x(20);
  const auto solve = [&](const StageOptions& options, DenseView<double> view) {
    factorize<double>(matrix, options)->calls().solve_part(FactorPart::lower, Operation::plain, led(view));
  };
  StageOptions mixed;
  mixed.solver.mixed_precision = true;
  StageOptions cholesky;
  cholesky.solver.method = Method::cholesky;
  EXPECT_NO_THROW(solve({}, {x.data(), 20, 1, 20}));
  EXPECT_NO_THROW(solve({}, {x.data(), 20, 0, 20}));
  EXPECT_THROW(solve(cholesky, {x.data(), 20, 1, 20}), UsageError);
  EXPECT_THROW(solve(mixed, {x.data(), 20, 1, 20}), UsageError);
  EXPECT_THROW(solve({}, {x.data(), 19, 1, 20}), UsageError);
  EXPECT_THROW(solve({}, {x.data(), 20, 1, 19}), UsageError);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve({}, {x.data(), 20, 1, 20}), UsageError);
}

// Null pivots are zeros of D, for every operation, at the positions that the report names.
TYPED_TEST(SolvePart, OfSingularMatrices) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, kDefinite<S>}) {
    const auto matrix = testing::singular_matrix<S>(this->kOrder, 2, symmetry, 5);
    for (const Layout layout : layouts()) {
      const auto factorization = factorize<S>(matrix, {{}, layout});
      const std::vector<Index>& null_pivots = factorization->report().factorization.null_pivots;
      ASSERT_EQ(null_pivots.size(), 2U);
      for (const Operation operation : test::kOperations) {
        const WideDense<S> diagonal = this->inverse_part(*factorization, FactorPart::diagonal, operation);
        for (Index k = 0; k < this->kOrder && is_led_here(); ++k) {
          const bool is_null = std::find(null_pivots.begin(), null_pivots.end(), k) != null_pivots.end();
          EXPECT_EQ(diagonal.col(k).norm() == 0, is_null);
          EXPECT_EQ(diagonal.row(k).norm() == 0, is_null);
        }
      }
    }
  }
}

TEST(TriangularInSomeOrder, IsToldFromEntriesAlone) {
  test::EigenMatrix<double> m(3, 3);
  m << 0, 2, 0, 1, 3, 4, 0, 5, 6;
  EXPECT_TRUE(is_triangular_in_some_order(m));
  m(0, 2) = 7;
  EXPECT_FALSE(is_triangular_in_some_order(m));
}

}  // namespace
}  // namespace frond::stages
