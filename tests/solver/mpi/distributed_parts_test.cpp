// SPDX-License-Identifier: BSD-3-Clause
// The factors one by one on several ranks, found from solves with them: what they are alone, together, and in one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "solver/factorization.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/solver/mpi/spread_options.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/singular_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using test::Wide;
using test::WideDense;
using testing::Flavour;

constexpr Operation kOperations[] = {Operation::plain, Operation::transposed, Operation::adjoint};

// Whether rows and columns can be permuted so that nothing is above the diagonal: a row that has one entry left comes next, and
// takes the column of that entry away.
template <class W>
bool is_triangular_in_some_order(const test::EigenMatrix<W>& m) {
  std::vector<bool> has_row(static_cast<std::size_t>(m.rows()), true);
  std::vector<bool> has_column(static_cast<std::size_t>(m.cols()), true);
  for (Eigen::Index step = 0; step < m.rows(); ++step) {
    bool is_found = false;
    for (Eigen::Index i = 0; i < m.rows() && !is_found; ++i) {
      Eigen::Index num_left = 0;
      Eigen::Index last = 0;
      for (Eigen::Index j = 0; j < m.cols() && has_row[static_cast<std::size_t>(i)]; ++j) {
        if (has_column[static_cast<std::size_t>(j)] && m(i, j) != W(0)) {
          ++num_left;
          last = j;
        }
      }
      if (num_left == 1) {
        has_row[static_cast<std::size_t>(i)] = false;
        has_column[static_cast<std::size_t>(last)] = false;
        is_found = true;
      }
    }
    if (!is_found) {
      return false;
    }
  }
  return true;
}

template <class S>
class DistributedPartsOf : public ::testing::Test {
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

  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  [[nodiscard]] std::vector<DistributedOptions> all_options() const {
    return {testing::spread(), testing::spread_with_grid(ranks_)};
  }

  [[nodiscard]] std::unique_ptr<DistributedFactorization<S>> factorize(const SystemMatrix<S>& matrix,
                                                                       const DistributedOptions& options) const {
    return std::make_unique<DistributedFactorization<S>>(
        std::make_shared<const DistributedSystem<S>>(ranks_, is_first() ? &matrix : nullptr, options));
  }

  // Whatever is conjugated where it should not be shows.
  static S unit() {
    if constexpr (kIsComplex<S>) {
      return S(0, 1);
    } else {
      return S(1);
    }
  }

  // The inverse of op(part); elsewhere than on rank 0 what has been put in.
  [[nodiscard]] Matrix inverse_part(DistributedFactorization<S>& factorization, FactorPart part, Operation operation) const {
    DenseMatrix<S> x(kOrder, kOrder);
    for (Index i = 0; i < kOrder; ++i) {
      x(i, i) = unit();
    }
    factorization.solve_part(part, operation, is_first() ? view_of(x) : DenseView<S>{});
    return test::wide(x) / Wide<S>(unit());
  }

  [[nodiscard]] Inverses inverse_parts(DistributedFactorization<S>& factorization, Operation operation) const {
    Inverses inverses;
    inverses.lower = inverse_part(factorization, FactorPart::lower, operation);
    inverses.diagonal = inverse_part(factorization, FactorPart::diagonal, operation);
    inverses.upper = inverse_part(factorization, FactorPart::upper, operation);
    return inverses;
  }

  static double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

  // Where pivots are delayed, one process may delay other ones.
  void expect_parts(const SystemMatrix<S>& matrix, const DenseMatrix<S>& dense, bool has_delays,
                    const DistributedOptions& options) {
    const auto factorization = factorize(matrix, options);
    const FactorizationReport& report = factorization->report().factorization;
    ASSERT_EQ(report.status, FactorizationStatus::success);
    num_by_rows_ += factorization->mapping().num_nodes_of(NodeType::row_distributed);
    num_on_grids_ += factorization->mapping().num_nodes_of(NodeType::grid_distributed);
    num_delayed_ += report.num_delayed_pivots;
    num_two_by_two_ += report.num_two_by_two;
    const Inverses plain = inverse_parts(*factorization, Operation::plain);
    const Inverses transposed = inverse_parts(*factorization, Operation::transposed);
    const Inverses adjoint = inverse_parts(*factorization, Operation::adjoint);
    if (is_first()) {  // elsewhere there are no parts
      const Matrix a = test::wide(dense);
      expect_solutions(plain, transposed, adjoint, a);
      expect_operations(plain, transposed, adjoint);
      expect_matrix(plain, a, factorization->report().method);
      expect_shapes(plain, factorization->report().method);
      expect_inertia(plain.diagonal, a, factorization->report().method);
      if (!has_delays) {
        expect_parts_of_one_process(plain, matrix, options, factorization->system().order());
      }
    }
  }

  // One part after the other is a solve with op(A).
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

  // L D U = A, and the product of their inverses is that of A. Of Cholesky L L^H = A.
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

  // D has as many eigenvalues of each sign as A (Sylvester).
  static void expect_inertia(const Matrix& inverse_diagonal, const Matrix& a, Method method) {
    if (method == Method::ldlh || (method == Method::ldlt && !kIsComplex<S>)) {
      const Eigen::VectorXd of_d = test::eigenvalues(inverse_diagonal);
      const Eigen::VectorXd of_a = test::eigenvalues(a);
      EXPECT_EQ((of_d.array() < 0).count(), (of_a.array() < 0).count());
      EXPECT_EQ((of_d.array() > 0).count(), (of_a.array() > 0).count());
    }
  }

  // With the same order.
  static void expect_parts_of_one_process(const Inverses& inverses, const SystemMatrix<S>& matrix,
                                          const DistributedOptions& options, const VariableOrder& order) {
    SolverOptions same = options.solver;
    same.analysis.ordering = {.kind = OrderingKind::given, .perm = order.perm, .row_of_column = order.row_of_column};
    const Factorization<S> one(analyze(matrix, same), matrix, same);
    const auto expect_part = [&](FactorPart part, const Matrix& inverse) {
      DenseMatrix<S> expected(kOrder, kOrder);
      for (Index i = 0; i < kOrder; ++i) {
        expected(i, i) = S(1);
      }
      one.solve_part(part, Operation::plain, view_of(expected));
      EXPECT_LE((inverse - test::wide(expected)).norm(), 10 * kEps * inverse.norm()) << "part " << static_cast<int>(part);
    };
    expect_part(FactorPart::lower, inverses.lower);
    expect_part(FactorPart::diagonal, inverses.diagonal);
    expect_part(FactorPart::upper, inverses.upper);
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
  Index num_by_rows_ = 0;  // fronts of all factorizations whose parts were found, and pivots
  Index num_on_grids_ = 0;
  Count num_delayed_ = 0;
  Count num_two_by_two_ = 0;
};
TYPED_TEST_SUITE(DistributedPartsOf, test::Scalars);

template <class S>
constexpr Symmetry kDefinite = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;

TYPED_TEST(DistributedPartsOf, WithoutDelays) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, kDefinite<S>}) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::dominant, 2);
    for (const DistributedOptions& options : this->all_options()) {
      this->expect_parts(matrix, testing::dense(matrix), false, options);
    }
  }
  // so that it was tried: both methods that can have a root on the grid of two have it there
  const bool has_several = this->ranks_.num_ranks() > 1;
  EXPECT_EQ(this->num_by_rows_ > 0, has_several);
  EXPECT_EQ(this->num_on_grids_, has_several && this->ranks_.gate().threads_may_call() ? 2 : 0);
  EXPECT_EQ(this->num_delayed_, 0);
}

TYPED_TEST(DistributedPartsOf, WithDelays) {
  using S = TypeParam;
  std::vector<Symmetry> symmetries = {Symmetry::general, Symmetry::symmetric};
  if (kIsComplex<S>) {
    symmetries.push_back(Symmetry::hermitian);
  }
  for (const Symmetry symmetry : symmetries) {
    const auto matrix = testing::random_matrix<S>(this->kOrder, 3, symmetry, Flavour::zero_diagonal, 2);
    const auto rows = compressed_rows<S>(this->kOrder, matrix.column_offsets, matrix.row_indices, matrix.values, symmetry);
    for (const DistributedOptions& options : this->all_options()) {
      this->expect_parts(matrix, testing::dense(matrix), true, options);
      this->expect_parts(rows, testing::dense(matrix, Operation::transposed), true, options);
    }
  }
  EXPECT_EQ(this->num_by_rows_ > 0, this->ranks_.num_ranks() > 1);
  EXPECT_GT(this->num_delayed_, 0);
  EXPECT_GT(this->num_two_by_two_, 0);
}

// Null pivots are zeros of D, of any of its operations, in the places that the report names.
TYPED_TEST(DistributedPartsOf, OfSingularMatrices) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, kDefinite<S>}) {
    const auto matrix = testing::singular_matrix<S>(this->kOrder, 2, symmetry, 5);
    const auto factorization = this->factorize(matrix, testing::spread_with_grid(this->ranks_));
    const std::vector<Index>& null_pivots = factorization->report().factorization.null_pivots;
    ASSERT_EQ(null_pivots.size(), 2U);
    for (const Operation operation : kOperations) {
      const WideDense<S> diagonal = this->inverse_part(*factorization, FactorPart::diagonal, operation);
      for (Index k = 0; k < this->kOrder && this->is_first(); ++k) {
        const bool is_null = std::find(null_pivots.begin(), null_pivots.end(), k) != null_pivots.end();
        EXPECT_EQ(diagonal.col(k).norm() == 0, is_null);
        EXPECT_EQ(diagonal.row(k).norm() == 0, is_null);
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
}  // namespace frond
