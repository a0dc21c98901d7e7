// SPDX-License-Identifier: BSD-3-Clause
// Drives the solvers of a grid and checks their results.
#include "tests/support/ranks/root_on_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>

#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/lu.hpp"
#include "tests/dense/dense_algebra.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

constexpr Index kBlockSize = 8;

// A front of type 1 that holds all of a root's matrix; `whole` is B = A^T for LU.
template <Scalar S>
class WholeRoot {
 public:
  explicit WholeRoot(DenseMatrix<S>& whole)
      : pivots_(static_cast<std::size_t>(whole.num_rows)), row_variables_(pivots_.size()), col_variables_(pivots_.size()) {
    std::iota(row_variables_.begin(), row_variables_.end(), 0);
    std::iota(col_variables_.begin(), col_variables_.end(), 0);
    const Index n = whole.num_rows;
    front_.order = n;
    front_.num_fully_summed = n;
    front_.num_eliminated = n;
    front_.layout = {n, n, n};
    front_.lower = whole.values.data();
    front_.pivots = pivots_.data();
    front_.row_variables = row_variables_.data();
    front_.col_variables = col_variables_.data();
  }

  [[nodiscard]] const FrontFactor<S>& front() const { return front_; }
  [[nodiscard]] double error(Method method, const DenseMatrix<S>& a) const {
    DenseOracle<S> oracle(a.num_rows);
    oracle.add_front(method, front_, {});
    return oracle.error(a);
  }

 private:
  FrontFactor<S> front_;
  std::vector<PivotKind> pivots_;
  std::vector<Index> row_variables_;
  std::vector<Index> col_variables_;
};

// Returns max |b - op(A) x| in units of n eps (|op(A)| |x| + |b|), in maximum norms.
template <Scalar S>
double backward_error(Operation operation, const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b) {
  const auto matrix = wide(dense_operation(operation, a));
  const double residual = (wide(b) - product(matrix, wide(x))).cwiseAbs().maxCoeff();
  const double scale = matrix.cwiseAbs().rowwise().sum().maxCoeff() * wide(x).cwiseAbs().maxCoeff() + wide(b).cwiseAbs().maxCoeff();
  return residual / (static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()) * a.num_rows * scale);
}

// Expects the smallest pivot on the diagonal of the factors at the position that the outcome reports.
template <Scalar S>
void expect_smallest_pivot(Method method, const RootOutcome& outcome, const DenseMatrix<S>& factors) {
  double smallest = std::numeric_limits<double>::infinity();
  Index position = -1;
  for (Index k = 0; k < factors.num_rows; ++k) {
    const double magnitude = std::abs(factors(k, k));
    const double size = method == Method::cholesky ? magnitude * magnitude : magnitude;
    if (size < smallest) {
      smallest = size;
      position = k;
    }
  }
  EXPECT_EQ(outcome.smallest_pivot, smallest);
  EXPECT_EQ(outcome.smallest_pivot_position, position);
}

// Expects |m_ij| <= 1, where BLAS measures complex numbers by |re| + |im|.
template <Scalar S>
void expect_bounded_multipliers(const DenseMatrix<S>& factors) {
  const double bound = (kIsComplex<S> ? std::sqrt(2.0) : 1.0) * (1 + 4 * std::numeric_limits<RealOf<S>>::epsilon());
  for (Index j = 0; j < factors.num_cols; ++j) {
    for (Index i = j + 1; i < factors.num_rows; ++i) {
      ASSERT_LE(std::abs(factors(i, j)), bound) << "at " << i << ", " << j;
    }
  }
}

template <Scalar S>
void expect_determinant(const RootOutcome& outcome, const DenseMatrix<S>& a) {
  const DenseDeterminant expected = dense_determinant(a);
  EXPECT_LE(relative_difference(outcome.determinant, expected.value), expected.tolerance);
}

template <Scalar S>
void expect_factors(Method method, const DenseMatrix<S>& a, const RootOutcome& outcome, DenseMatrix<S> factors) {
  expect_smallest_pivot(method, outcome, factors);
  if (method == Method::cholesky) {
    EXPECT_LT(WholeRoot<S>(factors).error(method, a), 1);
  } else {
    expect_bounded_multipliers(factors);
    expect_determinant(outcome, a);
  }
}

template <Scalar S>
DenseMatrix<S> random_right_hand_sides(Index num_rows, Index num_cols, std::mt19937& random) {
  DenseMatrix<S> b(num_rows, num_cols);
  b.values = random_vector<S>(b.values.size(), random);
  return b;
}

}  // namespace

template <Scalar S>
RootOnGrid<S>::RootOnGrid(const MakeMembers<S>& make, Method method, const DenseMatrix<S>& a, Index block_size, GridShape shape,
                          RealOf<S> null_pivot)
    : layout_(a.num_rows, block_size, shape), members_(make(shape, method, null_pivot)) {
  DenseMatrix<S> on_grid = a;
  for (Index j = 0; j < a.num_cols; ++j) {
    for (Index i = 0; i < a.num_rows; ++i) {
      const bool is_read = method == Method::lu || i >= j;
      on_grid(i, j) = method == Method::lu ? a(j, i) : is_read ? a(i, j) : S(std::numeric_limits<RealOf<S>>::quiet_NaN());
    }
  }
  for (std::size_t k = 0; k < members_.size(); ++k) {
    memory_.emplace_back(static_cast<std::size_t>(layout_.num_entries(layout_.position(members_[k].grid_rank))));
    copy_from_whole(on_grid.values.data(), part(k, memory_));
  }
  original_ = memory_;
}

template <Scalar S>
RootPart<S> RootOnGrid<S>::part(std::size_t member, std::vector<std::vector<S>>& memory) const {
  return {layout_, layout_.position(members_[member].grid_rank), memory[member].data()};
}

template <Scalar S>
RootOutcome RootOnGrid<S>::factorize() {
  std::vector<RootOutcome> outcomes;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    EXPECT_TRUE(outcomes.empty());
    members_[k].solver->factorize(part(k, memory_), [&](const RootOutcome& outcome) { outcomes.push_back(outcome); });
  }
  EXPECT_EQ(outcomes.size(), members_.size());
  for (const RootOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome, outcomes.front());
  }
  return outcomes.empty() ? RootOutcome{} : outcomes.front();
}

template <Scalar S>
DenseMatrix<S> RootOnGrid<S>::gather(std::vector<std::vector<S>>& memory) {
  DenseMatrix<S> whole = has_first() ? DenseMatrix<S>(layout_.order(), layout_.order()) : DenseMatrix<S>();
  std::size_t num_done = 0;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    members_[k].solver->gather(part(k, memory), members_[k].grid_rank == 0 ? whole.values.data() : nullptr, [&] { ++num_done; });
  }
  EXPECT_EQ(num_done, members_.size());
  return whole;
}

template <Scalar S>
DenseMatrix<S> RootOnGrid<S>::gather() {
  return gather(memory_);
}

template <Scalar S>
DenseMatrix<S> RootOnGrid<S>::gather_original() {
  return gather(original_);
}

template <Scalar S>
DenseMatrix<S> RootOnGrid<S>::solve(RootFactors factors, Operation operation, const DenseMatrix<S>& b) {
  DenseMatrix<S> x = b;
  std::size_t num_done = 0;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    S* entries = members_[k].grid_rank == 0 ? x.values.data() : nullptr;
    members_[k].solver->solve(factors, operation, DenseView<S>{entries, b.num_rows, b.num_cols, b.num_rows}, [&] { ++num_done; });
  }
  EXPECT_EQ(num_done, members_.size());
  return x;
}

namespace {

// Returns the error of T y = b in rounding units: the largest residual relative to the sum of the magnitudes in its row.
template <Scalar S>
double triangle_error(const std::function<S(Index, Index)>& lower, const DenseMatrix<S>& y, const DenseMatrix<S>& b) {
  double largest = 0;
  for (Index col = 0; col < b.num_cols; ++col) {
    for (Index i = 0; i < b.num_rows; ++i) {
      std::complex<double> residual = b(i, col);
      double size = std::abs(residual);
      for (Index k = 0; k <= i; ++k) {
        const std::complex<double> term = std::complex<double>(lower(i, k)) * std::complex<double>(y(k, col));
        residual -= term;
        size += std::abs(term);
      }
      largest = std::max(largest, std::abs(residual) / std::max(size, std::numeric_limits<double>::min()));
    }
  }
  return largest / (b.num_rows * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
}

// Expects that solving with both factors in turn is the whole solve, and that the first factor of A is L, or N^T.
template <Scalar S>
void check_single_factors(RootOnGrid<S>& root, Method method, const DenseMatrix<S>& factors, Operation operation,
                          const DenseMatrix<S>& b, const DenseMatrix<S>& x) {
  const DenseMatrix<S> y = root.solve(RootFactors::first, operation, b);
  const DenseMatrix<S> second = root.solve(RootFactors::second, operation, y);
  if (!root.has_first()) {
    return;
  }
  EXPECT_EQ(second.values, x.values);
  if (operation == Operation::plain) {
    const auto lower = [&](Index i, Index k) { return method == Method::cholesky ? factors(i, k) : factors(k, i); };
    EXPECT_LT(triangle_error<S>(lower, y, b), 4);
  }
}

}  // namespace

template <Scalar S>
void check_factors_and_solutions(const MakeMembers<S>& make, GridShape shape, Method method, Index order, std::uint32_t seed) {
  SCOPED_TRACE(::testing::Message() << "order " << order << " on " << shape.num_rows << " x " << shape.num_cols << ", method "
                                    << static_cast<int>(method) << ", seed " << seed);
  std::mt19937 random(seed);
  const FrontKind kind = method == Method::cholesky ? FrontKind::dominant : FrontKind::random;
  const DenseMatrix<S> a = front_matrix<S>(kind, symmetry_of(method), order, order, random());
  RootOnGrid<S> root(make, method, a, kBlockSize, shape, default_tolerances(a).null);
  const RootOutcome outcome = root.factorize();
  EXPECT_EQ(outcome.status, RootStatus::success);
  const DenseMatrix<S> factors = root.gather();
  if (root.has_first()) {
    expect_factors(method, a, outcome, factors);
  }
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    for (const Index num_rhs : {1, 2 * kBlockSize * shape.num_cols + 3}) {
      const DenseMatrix<S> b = random_right_hand_sides<S>(order, num_rhs, random);
      const DenseMatrix<S> x = root.solve(RootFactors::both, operation, b);
      if (root.has_first()) {
        EXPECT_LT(backward_error(operation, a, x, b), 2) << static_cast<int>(operation) << ", " << num_rhs;
      }
      check_single_factors(root, method, factors, operation, b, x);
    }
  }
}

template <Scalar S>
void check_not_positive_definite(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed) {
  constexpr Index kOrder = 20;
  using R = RealOf<S>;
  for (const R pivot : {R(-1), R(0), R(1e-3), std::numeric_limits<R>::quiet_NaN()}) {
    for (const Index position : {0, 11, kOrder - 1}) {
      SCOPED_TRACE(::testing::Message() << "pivot " << pivot << " at " << position << ", seed " << seed);
      DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, kOrder, kOrder, seed);
      for (Index i = 0; i < kOrder; ++i) {
        a(i, position) = S(0);
        a(position, i) = S(0);
      }
      a(position, position) = S(pivot);
      RootOnGrid<S> root(make, Method::cholesky, a, kBlockSize, shape, R(1e-2));
      const RootOutcome outcome = root.factorize();
      if (root.has_members()) {
        EXPECT_EQ(outcome.status, RootStatus::not_positive_definite);
        EXPECT_EQ(outcome.failed_pivot, position);
      }
    }
  }
}

template <Scalar S>
void check_rejected(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed) {
  constexpr Index kOrder = 30;
  for (const FrontKind kind : {FrontKind::zero_columns, FrontKind::low_rank, FrontKind::zero}) {
    SCOPED_TRACE(::testing::Message() << name_of(kind) << ", seed " << seed);
    const DenseMatrix<S> a = front_matrix<S>(kind, Symmetry::general, kOrder, kOrder, seed);
    PivotTolerances<RealOf<S>> tolerances = default_tolerances(a);
    tolerances.null *= static_cast<RealOf<S>>(kOrder);
    RootOnGrid<S> root(make, Method::lu, a, kBlockSize, shape, tolerances.null);
    const RootOutcome outcome = root.factorize();
    DenseMatrix<S> whole = root.gather_original();
    if (root.has_members()) {
      EXPECT_EQ(outcome.status, RootStatus::rejected);
      EXPECT_EQ(kind == FrontKind::low_rank ? 0 : outcome.failed_pivot, 0);
    }
    if (root.has_first()) {
      EXPECT_EQ(whole.values, dense_operation(Operation::transposed, a).values);
      const WholeRoot<S> again(whole);
      LuKernel<S> kernel(again.front(), tolerances);
      EXPECT_EQ(eliminate(kernel, kOrder, true), kOrder);
      EXPECT_FALSE(kernel.counts().null_variables.empty());
      if (kind != FrontKind::low_rank) {  // where nothing is rounded
        const Eigen::VectorXd sizes = singular_values(wide(a));
        EXPECT_EQ(static_cast<Index>(kernel.counts().null_variables.size()), (sizes.array() <= 1e-12 * sizes(0)).count());
      }
      EXPECT_LT(again.error(Method::lu, a), 10);
    }
  }
}

template <Scalar S>
void check_no_numbers(const MakeMembers<S>& make, GridShape shape, std::uint32_t seed) {
  constexpr Index kOrder = 20;
  for (const Index position : {0, 11, kOrder - 1}) {
    SCOPED_TRACE(::testing::Message() << "NaN at " << position << ", seed " << seed);
    DenseMatrix<S> a = front_matrix<S>(FrontKind::random, Symmetry::general, kOrder, kOrder, seed);
    a(position, position) = S(std::numeric_limits<RealOf<S>>::quiet_NaN());
    RootOnGrid<S> root(make, Method::lu, a, kBlockSize, shape, default_tolerances(a).null);
    const RootOutcome outcome = root.factorize();
    if (root.has_members()) {
      EXPECT_EQ(outcome.status, RootStatus::rejected);
    }
  }
}

#define FROND_INSTANTIATE(S)                                                                                 \
  template class RootOnGrid<S>;                                                                              \
  template void check_factors_and_solutions(const MakeMembers<S>&, GridShape, Method, Index, std::uint32_t); \
  template void check_not_positive_definite(const MakeMembers<S>&, GridShape, std::uint32_t);                \
  template void check_rejected(const MakeMembers<S>&, GridShape, std::uint32_t);                             \
  template void check_no_numbers(const MakeMembers<S>&, GridShape, std::uint32_t);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::test
