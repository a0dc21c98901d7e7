// SPDX-License-Identifier: BSD-3-Clause
// Tests Schur complements on several ranks against LAPACK on dense matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tests/support/matrices/random_pairs.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/oracles/schur_oracle.hpp"
#include "tests/support/ranks/ending_memory.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;

constexpr double kUnits = 100;  // as in schur_complement_test.cpp

template <class S>
class DistributedSchur : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  // Distributes every front that can be distributed.
  [[nodiscard]] static SolverOptions keeping(std::vector<Index> variables) {
    SolverOptions options;
    MappingOptions& mapping = options.analysis.mapping;
    mapping.layer.upper_node_seconds = 0;
    mapping.layer.tolerance = 0.01;
    mapping.rows.min_front_flops = 0;
    mapping.rows.min_slave_rows = 2;
    mapping.splitting.min_pivots = 4;
    options.analysis.schur_variables = std::move(variables);
    options.error_bounds = ErrorBounds::first_column;
    return options;
  }

  // Distributes S over all ranks, at any MPI thread level: nothing is factorized there.
  [[nodiscard]] static SolverOptions on_grid(SolverOptions options) {
    GridOptions& grid = options.analysis.mapping.grid;
    grid.order_per_side = 1;
    grid.block_size = 3;
    return options;
  }

  [[nodiscard]] Factorization<S> factorize(const SystemMatrix<S>& matrix, const SolverOptions& options) const {
    return factorize_on_ranks<S>(std::make_shared<const DistributedSystem<S>>(ranks_, is_first() ? &matrix : nullptr, options));
  }

  // Checks with S assembled on one rank, and on a grid.
  void check(const SparseMatrix<S>& matrix, const SolverOptions& options) {
    check_placed(matrix, options, {Operation::plain, Operation::transposed, Operation::adjoint});
    check_placed(matrix, on_grid(options), {Operation::adjoint});
  }

  // Checks S on rank 0 and on a grid, then condensation, a solve by LAPACK, expansion, and the whole solution, for op(A).
  void check_placed(const SparseMatrix<S>& matrix, const SolverOptions& options, const std::vector<Operation>& operations) {
    Factorization<S> factorization = factorize(matrix, options);
    ASSERT_EQ(factorization.report().factorization.status, FactorizationStatus::success);
    check_levels(factorization.report().factorization);
    num_by_rows_ += rank_backend_of(factorization).mapping().num_nodes_of(NodeType::row_distributed);
    num_on_grids_ += rank_backend_of(factorization).mapping().num_nodes_of(NodeType::grid_distributed);
    const std::vector<Index>& kept = options.analysis.schur_variables;
    DenseMatrix<S> complement = factorization.schur_complement();
    if (is_first()) {
      EXPECT_LE(testing::SchurOracle(testing::dense(matrix), kept).error(complement), kUnits);
    } else {
      EXPECT_TRUE(complement.values.empty());
      complement = DenseMatrix<S>(static_cast<Index>(kept.size()), static_cast<Index>(kept.size()));
    }
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(complement.values)));
    for (const Index block_size : {1, 3, 64}) {
      check_part(factorization.schur_part({.block_size = block_size}), complement);
    }
    check_part(factorization.schur_part({.block_size = 2, .num_rows = 1, .num_cols = 1}), complement);
    for (const Operation operation : operations) {
      SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation));
      check_solutions(factorization, testing::dense(matrix, operation), kept, operation);
    }
  }

  // Kept variables must not count as delayed pivots, and their front counts once.
  static void check_levels(const FactorizationReport& report) {
    Count num_delayed = 0;
    for (const LevelCounts& level : report.levels) {
      num_delayed += level.num_delayed_pivots;
    }
    EXPECT_EQ(num_delayed, report.num_delayed_pivots);
    EXPECT_EQ(report.levels.at(0).num_fronts, 1);
  }

  static void check_part(const SchurPart<S>& part, const DenseMatrix<S>& complement) {
    EXPECT_EQ(part.order, complement.num_rows);
    if (!part.is_in_grid) {
      EXPECT_TRUE(part.entries.empty());
      EXPECT_EQ(part.descriptor(7)[1], -1);
      return;
    }
    const std::array<int, 9> descriptor = part.descriptor(7);
    EXPECT_EQ(descriptor[1], 7);
    Count num_entries = 0;
    for (Index j = 0; j < complement.num_cols; ++j) {
      for (Index i = 0; i < complement.num_rows; ++i) {
        // mapping of the ScaLAPACK Users' Guide, section 4.3.1
        const Index block_row = i / descriptor[4];
        const Index block_col = j / descriptor[5];
        if (block_row % part.grid.num_rows == part.row && block_col % part.grid.num_cols == part.col) {
          const Index local_row = block_row / part.grid.num_rows * descriptor[4] + i % descriptor[4];
          const Index local_col = block_col / part.grid.num_cols * descriptor[5] + j % descriptor[5];
          EXPECT_EQ(part.entries.at(static_cast<std::size_t>(local_row + local_col * descriptor[8])), complement(i, j));
          ++num_entries;
        }
      }
    }
    EXPECT_EQ(num_entries, static_cast<Count>(part.entries.size()));
    EXPECT_EQ(num_entries, static_cast<Count>(part.num_rows) * part.num_cols);
  }

  // Solves for more columns than are solved together.
  void check_solutions(Factorization<S>& factorization, const DenseMatrix<S>& a, const std::vector<Index>& kept,
                       Operation operation) {
    constexpr Index kNumRhs = kSolveBlock + 1;
    const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
    const DenseMatrix<S> b = testing::random_dense<S>(a.num_rows, kNumRhs, 5);
    DenseMatrix<S> condensed(static_cast<Index>(kept.size()), kNumRhs);
    DenseMatrix<S> x(a.num_rows, kNumRhs);
    DenseMatrix<S> x2 = condensed;
    factorization.condense(view_of(b), view_of(condensed), operation);
    std::optional<testing::SchurOracle> oracle;
    if (is_first()) {
      oracle.emplace(a, kept);
      EXPECT_LE(oracle->condensed_error(b, condensed), kUnits);
      x2 = testing::narrowed<S>(testing::solve_by_lapack(oracle->complement(), testing::widened(condensed)));
    }
    factorization.expand(view_of(b), view_of(x2), view_of(x), operation);
    if (is_first()) {
      EXPECT_LE(testing::dense_backward_error(a, x, b), eps * std::max(20.0, oracle->amplification()));
      for (std::size_t k = 0; k < kept.size(); ++k) {
        EXPECT_EQ(x(kept[k], 0), x2(static_cast<Index>(k), 0));
      }
    }
    const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    if (is_first()) {
      EXPECT_LE(testing::dense_backward_error(a, x, b), 20 * eps);
    }
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
  Index num_by_rows_ = 0;   // fronts of all factorizations checked
  Index num_on_grids_ = 0;  // that hold S
};
TYPED_TEST_SUITE(DistributedSchur, test::Scalars);

TYPED_TEST(DistributedSchur, GeneralMatrices) {
  for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
    this->check(testing::random_matrix<TypeParam>(80, 3, Symmetry::general, flavour, 1),
                this->keeping(testing::random_pairs(80, 9, 2)));
  }
}

TYPED_TEST(DistributedSchur, SymmetricAndHermitianMatrices) {
  for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal}) {
      this->check(testing::random_matrix<TypeParam>(80, 3, symmetry, flavour, 3), this->keeping(testing::random_pairs(80, 9, 4)));
    }
  }
}

// Uses fronts of many rows and pivots, distributed over all ranks.
TYPED_TEST(DistributedSchur, APlaneOfAGrid) {
  using S = TypeParam;
  std::vector<Index> plane(64);
  std::iota(plane.begin(), plane.end(), 3 * 64);
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    if (kIsComplex<S> && method == Method::cholesky) {
      continue;  // complex symmetric
    }
    SolverOptions options = this->keeping(plane);
    options.method = method;
    this->check(testing::laplacian<S>(8), options);
  }
  EXPECT_EQ(this->num_by_rows_ > 0, this->ranks_.num_ranks() > 1);
  EXPECT_EQ(this->num_on_grids_, this->ranks_.num_ranks() == 1 ? 0 : kIsComplex<S> ? 2 : 3);
}

TYPED_TEST(DistributedSchur, MatricesByRowsAndAllVariables) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(40, 3, Symmetry::general, Flavour::zero_diagonal, 6);
  const SystemMatrix<S> by_rows = compressed_rows<S>(40, matrix.column_offsets, matrix.row_indices, matrix.values);
  const std::vector<Index> kept = testing::random_pairs(40, 6, 7);
  for (const SolverOptions& options : {this->keeping(kept), this->on_grid(this->keeping(kept))}) {
    Factorization<S> factorization = this->factorize(by_rows, options);
    const DenseMatrix<S> a = testing::dense(matrix, Operation::transposed);
    const DenseMatrix<S> complement = factorization.schur_complement();
    if (this->is_first()) {
      EXPECT_LE(testing::SchurOracle(a, kept).error(complement), kUnits);
    }
    this->check_solutions(factorization, a, kept, Operation::plain);
    this->check_solutions(factorization, testing::dense(matrix), kept, Operation::transposed);
  }
  this->check(matrix, this->keeping(testing::random_pairs(40, 20, 8)));
}

// The transpose of a Hermitian matrix is its conjugate.
TYPED_TEST(DistributedSchur, HermitianMatricesByRows) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(60, 3, Symmetry::hermitian, Flavour::zero_diagonal, 15);
  const SystemMatrix<S> by_rows(matrix.view(), true);
  const std::vector<Index> kept = testing::random_pairs(60, 8, 16);
  for (const SolverOptions& options : {this->keeping(kept), this->on_grid(this->keeping(kept))}) {
    Factorization<S> factorization = this->factorize(by_rows, options);
    const DenseMatrix<S> complement = factorization.schur_complement();
    const SchurPart<S> part = factorization.schur_part({.block_size = 2, .num_rows = 1, .num_cols = 1});
    if (this->is_first()) {
      EXPECT_LE(testing::SchurOracle(testing::dense(matrix, Operation::transposed), kept).error(complement), kUnits);
      this->check_part(part, complement);
    }
  }
}

// Every rank gives and asks for rows of its own.
TYPED_TEST(DistributedSchur, RowsOfAnyRank) {
  using S = TypeParam;
  const auto matrix = testing::random_matrix<S>(40, 3, Symmetry::general, Flavour::dominant, 9);
  const std::vector<Index> kept = testing::random_pairs(40, 6, 10);
  Factorization<S> factorization = this->factorize(matrix, this->keeping(kept));
  const Communicator& ranks = this->ranks_;
  const auto own = [&ranks](const std::vector<Index>& all) {
    std::vector<Index> rows;
    for (std::size_t k = static_cast<std::size_t>(ranks.rank()); k < all.size(); k += static_cast<std::size_t>(ranks.num_ranks())) {
      rows.push_back(all[k]);
    }
    return rows;
  };
  const std::vector<Index> rows = own(all_rows(40));
  const std::vector<Index> own_kept = own(kept);
  const DenseMatrix<S> b = testing::random_dense<S>(40, 2, 11);
  const auto rows_of = [](const DenseMatrix<S>& from, const std::vector<Index>& which) {
    DenseMatrix<S> result(static_cast<Index>(which.size()), from.num_cols);
    copy_rows<S>(view_of(from), {which, view_of(result)});
    return result;
  };
  const testing::SchurOracle oracle(testing::dense(matrix), kept);
  const auto solution =
      testing::narrowed<S>(testing::solve_by_lapack(testing::widened(testing::dense(matrix)), testing::widened(b)));
  const DenseMatrix<S> own_b = rows_of(b, rows);
  DenseMatrix<S> condensed(static_cast<Index>(own_kept.size()), 2);
  factorization.condense_rows({rows, view_of(own_b)}, {own_kept, view_of(condensed)});
  const testing::WideMatrix expected = oracle.condensed(b);
  const double tolerance = 1000 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  for (std::size_t k = 0; k < own_kept.size(); ++k) {
    const auto place = std::find(kept.begin(), kept.end(), own_kept[k]) - kept.begin();
    EXPECT_LE(std::abs(std::complex<double>(condensed(static_cast<Index>(k), 1)) - expected(static_cast<Index>(place), 1)),
              tolerance);
  }
  const DenseMatrix<S> own_x2 = rows_of(solution, own_kept);
  DenseMatrix<S> x(static_cast<Index>(rows.size()), 2);
  factorization.expand_rows({rows, view_of(own_b)}, {own_kept, view_of(own_x2)}, {rows, view_of(x)});
  const DenseMatrix<S> own_solution = rows_of(solution, rows);
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    EXPECT_LE(std::abs(x.values[k] - own_solution.values[k]), tolerance);
  }
}

TYPED_TEST(DistributedSchur, SingularInteriorsHaveNone) {
  using S = TypeParam;
  const SparseMatrix<S> matrix = compress(Triplets<S>{4, 4, Symmetry::symmetric, {1, 2, 3}, {0, 2, 3}, {S(1), S(1), S(1)}});
  Factorization<S> factorization = this->factorize(matrix, this->keeping({1}));
  EXPECT_EQ(factorization.report().factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(factorization.report().factorization.null_pivots, (std::vector<Index>{0}));
  const DenseMatrix<S> complement = factorization.schur_complement();
  const DenseMatrix<S> b = testing::random_dense<S>(4, 1, 12);
  DenseMatrix<S> x(4, 1);
  const SolveReport report = factorization.solve(view_of(b), view_of(x));
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_EQ(report.rank.lowest, 4);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.front().find("once more without one"), std::string::npos);
  if (this->is_first()) {
    EXPECT_TRUE(std::isnan(std::real(complement(0, 0))));
    EXPECT_LE(std::abs(x(0, 0) - b(1, 0)) + std::abs(x(1, 0) - b(0, 0)), 10 * std::numeric_limits<RealOf<S>>::epsilon());
  }
  EXPECT_EQ(factorization.inverse_diagonal().verdict, Verdict::solved);
}

TYPED_TEST(DistributedSchur, DoubtfulOnesStaySoWithoutMemoryForTheWhole) {
  using S = TypeParam;
  for (const bool has_complement : {false, true}) {
    const SparseMatrix<S> matrix = testing::doubtful_around_one<S>(has_complement);
    const Index order = matrix.num_rows;
    const auto memory = std::make_shared<testing::EndingMemory>();
    SolverOptions options = this->keeping({1});
    options.factorization.memory = memory;
    options.error_bounds = ErrorBounds::all_columns;
    Factorization<S> factorization = this->factorize(matrix, options);
    memory->end();
    DenseMatrix<S> x(order, 1);
    const SolveReport report = factorization.solve(view_of(testing::random_dense<S>(order, 1, 12)), view_of(x));
    EXPECT_EQ(report.verdict == Verdict::rank_in_doubt, !has_complement) << report.describe();
    EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
    EXPECT_EQ(report.rank.highest, order);
    EXPECT_EQ(report.num_null_pivots(), 0);
    EXPECT_TRUE(std::isnan(report.condition));
    EXPECT_TRUE(std::isnan(report.worst().forward_error_bound));
    ASSERT_FALSE(report.notes.empty());
    EXPECT_NE(report.notes.back().find("memory did not suffice"), std::string::npos);
    EXPECT_TRUE(!this->is_first() || std::isnan(std::real(x(2, 0))) == !has_complement);
  }
}

// A grid with zero row sums, whose last front has many kept rows and lacks one pivot, which may not be delayed to the kept rows.
TYPED_TEST(DistributedSchur, NullPivotsOfDistributedFronts) {
  using S = TypeParam;
  constexpr Index kSide = 6;
  constexpr Index kInterior = kSide * kSide * kSide;
  constexpr Index kKept = 24;
  const SparseMatrix<S> grid = testing::laplacian<S>(kSide);
  Triplets<S> triplets{kInterior + kKept, kInterior + kKept, Symmetry::symmetric, {}, {}, {}};
  for (Index j = 0; j < kInterior; ++j) {
    for (Count e = grid.column_offsets[static_cast<std::size_t>(j)]; e < grid.column_offsets[static_cast<std::size_t>(j) + 1];
         ++e) {
      const Index i = grid.row_indices[static_cast<std::size_t>(e)];
      if (i != j) {
        triplets.add(i, j, S(-1));
        triplets.add(i, i, S(1));
        triplets.add(j, j, S(1));
      }
    }
  }
  std::vector<Index> kept(kKept);
  std::iota(kept.begin(), kept.end(), kInterior);
  for (const Index variable : kept) {
    triplets.add(variable, variable, S(5));
    triplets.add(variable, 9 * (variable - kInterior), S(1));
  }
  const SparseMatrix<S> matrix = compress(std::move(triplets));
  for (const Method method : {Method::lu, Method::ldlt}) {
    SolverOptions options = this->keeping(kept);
    options.method = method;
    const Factorization<S> factorization = this->factorize(matrix, options);
    EXPECT_EQ(factorization.report().factorization.status, FactorizationStatus::singular);
    EXPECT_EQ(factorization.report().factorization.null_pivots.size(), 1U);
    EXPECT_EQ(rank_backend_of(factorization).mapping().num_nodes_of(NodeType::row_distributed) > 0, this->ranks_.num_ranks() > 1);
  }
}

TEST(DistributedSchurErrors, ComeToAllRanks) {
  const Communicator ranks = mpi_world(test::mpi_gate());
  const auto matrix = testing::random_matrix<double>(20, 3, Symmetry::general, Flavour::dominant, 13);
  const SystemMatrix<double> given(matrix);
  const SystemMatrix<double>* mine = ranks.rank() == 0 ? &given : nullptr;
  SolverOptions options;
  options.analysis.schur_variables = {3, 20};
  EXPECT_THROW(DistributedSystem<double>(ranks, mine, options), UsageError);
  options.analysis.schur_variables = {3, 4};
  options.precision = Precision::mixed;
  const auto mixed = std::make_shared<const DistributedSystem<double>>(ranks, mine, options);
  EXPECT_THROW((void)factorize_on_ranks<double>(mixed), UsageError);
  options.precision = Precision::full;
  auto factorization = factorize_on_ranks<double>(std::make_shared<const DistributedSystem<double>>(ranks, mine, options));
  const Rank too_many = ranks.num_ranks() + 1;
  EXPECT_THROW((void)factorization.schur_part({.block_size = 2, .num_rows = 1, .num_cols = too_many}), UsageError);
  EXPECT_THROW((void)factorization.schur_part({.block_size = 0}), UsageError);
  const std::vector<Index> rows = all_rows(20);
  const DenseMatrix<double> b = testing::random_dense<double>(20, 1, 14);
  DenseMatrix<double> condensed(1, 1);
  const std::vector<Index> wrong{static_cast<Index>(ranks.rank() == ranks.num_ranks() - 1 ? 5 : 3)};
  EXPECT_THROW(factorization.condense_rows({rows, view_of(b)}, {wrong, view_of(condensed)}), UsageError);
  DenseMatrix<double> three(3, 1);
  EXPECT_THROW(factorization.condense(view_of(b), view_of(three)), UsageError);
}

}  // namespace
}  // namespace frond
