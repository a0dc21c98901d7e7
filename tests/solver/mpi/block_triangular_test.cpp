// SPDX-License-Identifier: BSD-3-Clause
// Block triangular forms on several ranks, against dense algebra and one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "matrices/build.hpp"
#include "solver/factorization.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::reducible_matrix;
using testing::Shuffle;

const std::vector<Index> kGiant = {1, 1, 1, 3, 60, 1, 2, 1, 1};
const std::vector<Index> kSeveral = {20, 7, 1, 13, 20, 1, 9};

template <class S>
class BlockTriangularOnRanks : public ::testing::Test {
 protected:
  static constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  // Small systems are spread over the ranks, in rows where that can be.
  [[nodiscard]] DistributedOptions options(bool has_grid = false) const {
    DistributedOptions options;
    options.solver.analysis.block_triangular = BlockTriangularUse::always;
    options.solver.analysis.mapping.layer.upper_node_seconds = 0;
    options.solver.analysis.mapping.layer.tolerance = 0.01;
    options.solver.analysis.mapping.rows = {.min_slave_rows = 1, .min_front_flops = 0};
    options.solver.analysis.mapping.grid.ranks = {0};
    if (has_grid) {
      options.solver.analysis.mapping.grid.order_per_side = 1;
      options.solver.analysis.mapping.grid.block_size = 4;
      if (ranks_.num_ranks() > 1) {
        options.solver.analysis.mapping.grid.ranks = {0, 1};
      }
    }
    return options;
  }

  // The factors alone are to solve.
  [[nodiscard]] static DistributedOptions unrefined(DistributedOptions options) {
    options.solver.refinement.max_steps = 0;
    options.solver.refinement.max_krylov_steps = 0;
    return options;
  }

  [[nodiscard]] std::unique_ptr<DistributedFactorization<S>> factorize(const SparseMatrix<S>& matrix,
                                                                       const DistributedOptions& options) const {
    const SystemMatrix<S> system(matrix);
    const auto analysed = std::make_shared<const DistributedSystem<S>>(ranks_, is_first() ? &system : nullptr, options);
    EXPECT_TRUE(analysed->symbolic()->blocks().splits());
    return std::make_unique<DistributedFactorization<S>>(analysed);
  }

  [[nodiscard]] DenseMatrix<S> solved(DistributedFactorization<S>& factorization, const DenseMatrix<S>& b,
                                      Operation operation) const {
    DenseMatrix<S> x(b.num_rows, b.num_cols);
    const SolveReport report = factorization.solve(view_of(b), view_of(x), operation, SolutionPlace::all_ranks);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    return x;
  }

  void expect_solves(DistributedFactorization<S>& factorization, const SparseMatrix<S>& matrix, double tolerance) const {
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 3, 5);
      const DenseMatrix<S> x = this->solved(factorization, b, operation);
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), tolerance);
    }
  }

  Communicator ranks_ = Communicator::world(test::mpi_gate());
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockTriangularOnRanks, Scalars);

TYPED_TEST(BlockTriangularOnRanks, FactorsOfBlocksSolveWithTheWhole) {
  using S = TypeParam;
  std::uint64_t seed = 1;
  for (const std::vector<Index>& blocks : {std::vector<Index>(40, 1), kGiant, kSeveral}) {
    for (const Shuffle shuffle : {Shuffle::alike, Shuffle::apart}) {
      for (const bool has_grid : {false, true}) {
        const auto matrix = reducible_matrix<S>(blocks, 2, shuffle, ++seed);
        const auto factorization = this->factorize(matrix, this->unrefined(this->options(has_grid)));
        EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::success);
        this->expect_solves(*factorization, matrix, 100 * this->kEps);
      }
    }
  }
}

// One after the other they are the inverse, as in one process.
TYPED_TEST(BlockTriangularOnRanks, Parts) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 31);
  const auto factorization = this->factorize(matrix, this->options());
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 3);
    DenseMatrix<S> x = this->is_first() ? b : DenseMatrix<S>();
    const bool is_plain = operation == Operation::plain;
    factorization->solve_part(is_plain ? FactorPart::lower : FactorPart::upper, operation, view_of(x));
    factorization->solve_part(FactorPart::diagonal, operation, view_of(x));
    factorization->solve_part(is_plain ? FactorPart::upper : FactorPart::lower, operation, view_of(x));
    if (this->is_first()) {
      EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, operation), x, b), 100 * this->kEps);
    }
  }
}

TYPED_TEST(BlockTriangularOnRanks, EntriesOfTheInverse) {
  using S = TypeParam;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 33);
  const auto factorization = this->factorize(matrix, this->options());
  const DiagonalPattern diagonal(matrix.num_rows);
  const auto found = factorization->inverse_entries(this->is_first() ? diagonal.view() : PatternView{});
  EXPECT_EQ(found.verdict, Verdict::solved);
  if (this->is_first()) {
    SolverOptions whole;
    whole.analysis.block_triangular = BlockTriangularUse::never;
    const auto expected = Factorization<S>(analyze(matrix, whole), matrix, whole).inverse_diagonal();
    for (std::size_t k = 0; k < found.values.size(); ++k) {
      EXPECT_LE(std::abs(found.values[k] - expected.values[k]), 200 * this->kEps);
    }
  }
}

// Each of two diagonal blocks loses a rank, which a coupling gives back.
TYPED_TEST(BlockTriangularOnRanks, RankAndNullSpaceAreThoseOfTheWhole) {
  using S = TypeParam;
  Triplets<S> entries{12, 12, Symmetry::general};
  for (const Index begin : {0, 6}) {
    for (Index k = 0; k < 6; ++k) {
      entries.add(begin + k, begin + k, S(2));
      entries.add(begin + k, begin + (k + 1) % 6, S(-1));
      entries.add(begin + k, begin + (k + 5) % 6, S(-1));
    }
  }
  entries.add(2, 8, S(3));
  const auto matrix = compress(std::move(entries));
  const auto factorization = this->factorize(matrix, this->options());
  EXPECT_EQ(factorization->report().factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(factorization->report().factorization.null_pivots.size(), 1U);
  EXPECT_FALSE(factorization->system().symbolic()->blocks().splits());
  const auto& notes = factorization->report().notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(),
                          [](const std::string& note) { return note.find("as a whole") != std::string::npos; }));
  const NullSpace<S> space = factorization->null_space(Operation::plain, SolutionPlace::all_ranks);
  ASSERT_EQ(space.basis.num_cols, 1);
  const DenseMatrix<S> a = testing::dense(matrix);
  for (Index i = 0; i < 12; ++i) {
    S sum = S(0);
    for (Index j = 0; j < 12; ++j) sum += a(i, j) * space.basis(j, 0);
    EXPECT_LE(std::abs(sum), 100 * this->kEps);
  }
}

TYPED_TEST(BlockTriangularOnRanks, OtherValuesAndSavedFactors) {
  using S = TypeParam;
  const testing::ScratchFolder folder;
  const auto matrix = reducible_matrix<S>(kGiant, 2, Shuffle::apart, 35);
  const auto factorization = this->factorize(matrix, this->unrefined(this->options()));
  auto other = matrix;
  for (S& value : other.values) value *= S(-3);
  const SystemMatrix<S> other_system(other);
  DistributedFactorization<S> again(
      std::make_shared<const DistributedSystem<S>>(factorization->system(), this->is_first() ? &other_system : nullptr));
  this->expect_solves(again, other, 100 * this->kEps);

  factorization->save(folder.path("factors"));
  const SystemMatrix<S> system(matrix);
  const auto loaded = DistributedFactorization<S>::load(this->ranks_, folder.path("factors"), this->is_first() ? &system : nullptr,
                                                        this->unrefined(this->options()));
  EXPECT_TRUE(loaded->system().symbolic()->blocks().splits());
  const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, 2, 5);
  EXPECT_EQ(this->solved(*loaded, b, Operation::transposed).values, this->solved(*factorization, b, Operation::transposed).values);
}

TYPED_TEST(BlockTriangularOnRanks, MixedPrecision) {
  using S = TypeParam;
  if constexpr (sizeof(RealOf<S>) == sizeof(double)) {
    const auto matrix = reducible_matrix<S>(kSeveral, 2, Shuffle::apart, 37);
    DistributedOptions options = this->options();
    options.solver.precision = Precision::mixed;
    const auto factorization = this->factorize(matrix, options);
    EXPECT_TRUE(factorization->report().is_mixed);
    this->expect_solves(*factorization, matrix, 20 * this->kEps);
    EXPECT_TRUE(factorization->report().is_mixed);  // still: refinement was enough
  }
}

}  // namespace
}  // namespace frond
