// SPDX-License-Identifier: BSD-3-Clause
// Tests the factors one by one, each found by solves with it: they must be triangular or diagonal, and multiply to A.
#include "solver/numerics/sweeps/factor_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/inverse_part.hpp"

namespace frond {
namespace {

using test::wide;
using test::Wide;
using test::WideDense;
using testing::Flavour;

template <class S>
class SolvePartOf : public ::testing::Test {
 protected:
  static constexpr Index kOrder = 70;
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  using Matrix = WideDense<S>;

  static Matrix inverse_part(const Factorization<S>& factorization, FactorPart part, Operation operation) {
    return testing::inverse_part<S>(kOrder, [&](DenseMatrix<S>& x) { factorization.solve_part(part, operation, view_of(x)); });
  }

  // Returns M(rows[k], cols[l]), with each row and column divided by its scale.
  static Matrix in_order(const Matrix& m, const std::vector<Index>& rows, const std::vector<Index>& cols,
                         const std::vector<RealOf<S>>& row_scaling, const std::vector<RealOf<S>>& col_scaling) {
    Matrix result(m.rows(), m.cols());
    for (Index l = 0; l < m.cols(); ++l) {
      for (Index k = 0; k < m.rows(); ++k) {
        const Index i = rows[static_cast<std::size_t>(k)];
        const Index j = cols[static_cast<std::size_t>(l)];
        result(k, l) = m(i, j) * (row_scaling.empty() ? 1.0 : 1.0 / static_cast<double>(row_scaling[static_cast<std::size_t>(i)])) *
                       (col_scaling.empty() ? 1.0 : 1.0 / static_cast<double>(col_scaling[static_cast<std::size_t>(j)]));
      }
    }
    return result;
  }

  static double largest(const Matrix& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

  static void expect_parts(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, const SolverOptions& options) {
    const Factorization<S> factorization(analyze(matrix, options), matrix);
    ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
    const Matrix lower = inverse_part(factorization, FactorPart::lower, Operation::plain);
    const Matrix diagonal = inverse_part(factorization, FactorPart::diagonal, Operation::plain);
    const Matrix upper = inverse_part(factorization, FactorPart::upper, Operation::plain);

    // their product is the inverse
    const Matrix product = test::product(test::product(upper, diagonal), test::product(lower, wide(dense)));
    const double size = upper.norm() * diagonal.norm() * lower.norm() * wide(dense).norm();
    EXPECT_LE(largest(product - Matrix::Identity(kOrder, kOrder)), 10 * kEps * size);

    // shapes: L^-1 = (by pivots and rows), U^-1 = (by columns and pivots)
    const FactorOrder<S> order = factorization.factor_order();
    const Matrix l = in_order(lower, order.pivots, order.rows, {}, order.row_scaling);
    const Matrix u = in_order(upper, order.cols, order.pivots, order.col_scaling, {});
    const Matrix d = in_order(diagonal, order.pivots, order.pivots, {}, {});
    EXPECT_EQ(largest(l.template triangularView<Eigen::StrictlyUpper>()), 0);
    EXPECT_EQ(largest(u.template triangularView<Eigen::StrictlyLower>()), 0);
    const Method method = factorization.report().method;
    const bool is_diagonal_one = method == Method::cholesky || method == Method::lu;
    for (Index k = 0; k < kOrder; ++k) {
      for (Index i = 0; i < kOrder; ++i) {
        if (std::abs(i - k) > 1) {
          EXPECT_EQ(d(i, k), Wide<S>(0));
        }
      }
      if (is_diagonal_one) {
        EXPECT_EQ(d(k, k), Wide<S>(1));
      } else {
        EXPECT_EQ(l(k, k), Wide<S>(1));
      }
    }
    if (method != Method::lu) {
      const bool is_hermitian = method != Method::ldlt;
      EXPECT_LE(largest(u - (is_hermitian ? Matrix(l.adjoint()) : Matrix(l.transpose()))), 20 * kEps * l.norm() * l.norm());
    }

    // transposed and adjoint parts
    const auto expect_transposed = [&](FactorPart part, const Matrix& plain) {
      const double tolerance = 100 * kEps * (1 + plain.norm()) * (1 + plain.norm());
      EXPECT_LE(largest(inverse_part(factorization, part, Operation::transposed) - plain.transpose()), tolerance);
      EXPECT_LE(largest(inverse_part(factorization, part, Operation::adjoint) - plain.adjoint()), tolerance);
    };
    expect_transposed(FactorPart::lower, lower);
    expect_transposed(FactorPart::diagonal, diagonal);
    expect_transposed(FactorPart::upper, upper);
  }

  static void expect_parts_with_and_without_matching(const SparseMatrix<S>& matrix, SolverOptions options = {}) {
    for (const MatchingUse matching : {MatchingUse::never, MatchingUse::always}) {
      options.analysis.ordering.matching = matching;
      expect_parts(matrix, testing::dense(matrix), options);
    }
  }
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolvePartOf, Scalars);

TYPED_TEST(SolvePartOf, Lu) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
    this->expect_parts_with_and_without_matching(testing::random_matrix<TypeParam>(this->kOrder, 3, Symmetry::general, flavour, 1));
  }
}

TYPED_TEST(SolvePartOf, LuOfBlocksOnTheDiagonal) {
  using S = TypeParam;
  SolverOptions options;
  options.analysis.block_triangular = BlockTriangularUse::always;
  std::uint64_t seed = 40;
  for (const testing::Shuffle shuffle : {testing::Shuffle::alike, testing::Shuffle::apart}) {
    for (const std::vector<Index>& blocks : {std::vector<Index>(70, 1), std::vector<Index>{1, 20, 2, 1, 40, 1, 5}}) {
      const auto matrix = testing::reducible_matrix<S>(blocks, 2, shuffle, ++seed);
      ASSERT_TRUE(analyze(matrix, options).parts().symbolic->blocks().splits());
      this->expect_parts_with_and_without_matching(matrix, options);
      const auto rows =
          compressed_rows<S>(this->kOrder, matrix.column_offsets, matrix.row_indices, matrix.values, Symmetry::general);
      this->expect_parts(rows, testing::dense(matrix, Operation::transposed), options);
    }
  }
}

TYPED_TEST(SolvePartOf, CompressedRows) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::zero_diagonal, 6);
    const auto rows = compressed_rows<S>(this->kOrder, matrix.column_offsets, matrix.row_indices, matrix.values, symmetry);
    this->expect_parts(rows, testing::dense(matrix, Operation::transposed), {});
  }
}

TYPED_TEST(SolvePartOf, Cholesky) {
  using S = TypeParam;
  const Symmetry symmetry = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::dominant, 2);
  this->expect_parts_with_and_without_matching(matrix);
  SolverOptions unscaled;
  unscaled.scaling.kind = ScalingKind::none;
  this->expect_parts(matrix, testing::dense(matrix), unscaled);
  // U^-1 U^-H = A^-1, as used to sample a normal distribution
  const Factorization<S> factorization(analyze(matrix), matrix);
  const auto factor = this->inverse_part(factorization, FactorPart::lower, Operation::adjoint);
  const WideDense<S> square = test::product(factor, WideDense<S>(factor.adjoint()));
  const WideDense<S> residual = test::product(square, wide(testing::dense(matrix)));
  EXPECT_LE(this->largest(residual - WideDense<S>::Identity(this->kOrder, this->kOrder)), 1e3 * this->kEps);
}

TYPED_TEST(SolvePartOf, SymmetricAndHermitianIndefinite) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::zero_diagonal, 3);
    this->expect_parts_with_and_without_matching(matrix);
    EXPECT_GT(Factorization<S>(analyze(matrix), matrix).report().factorization.num_two_by_two, 0);
  }
}

TEST(SolvePart, RefusesWhatCannotBe) {
  const auto matrix = testing::random_matrix<double>(20, 2, Symmetry::symmetric, Flavour::zero_diagonal, 15);
  std::vector<double> x(20);
  const auto solve = [&](const SolverOptions& options, DenseView<double> view) {
    Factorization<double>(analyze(matrix, options), matrix).solve_part(FactorPart::lower, Operation::plain, view);
  };
  SolverOptions mixed;
  mixed.precision = Precision::mixed;
  SolverOptions cholesky;
  cholesky.method = Method::cholesky;
  EXPECT_NO_THROW(solve({}, {x.data(), 20, 1, 20}));
  EXPECT_NO_THROW(solve({}, {x.data(), 20, 0, 20}));
  EXPECT_THROW(solve(cholesky, {x.data(), 20, 1, 20}), UsageError);
  EXPECT_THROW(solve(mixed, {x.data(), 20, 1, 20}), UsageError);
  EXPECT_THROW(solve({}, {x.data(), 19, 1, 20}), UsageError);
  EXPECT_THROW(solve({}, {x.data(), 20, 1, 19}), UsageError);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve({}, {x.data(), 20, 1, 20}), UsageError);
}

}  // namespace
}  // namespace frond
