// SPDX-License-Identifier: BSD-3-Clause
// Tests right-hand sides and solutions whose rows are on any ranks, against those on rank 0.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/owned_sides.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::OwnedSides;

// Spreads even small systems over the ranks.
SolverOptions spreading_options() {
  SolverOptions options;
  options.analysis.mapping.layer.upper_node_seconds = 0;
  options.analysis.mapping.layer.tolerance = 0.01;
  return options;
}

class RowsOfRanks {
 public:
  RowsOfRanks() {
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(&seed_, 1)));
    random_.seed(seed_);
  }

  template <Scalar S>
  [[nodiscard]] Factorization<S> factorize(const SystemMatrix<S>& matrix, const SolverOptions& options) const {
    return factorize_on_ranks<S>(
        std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &matrix : nullptr, options));
  }

  // Checks that both forms of the call give the same numbers.
  template <Scalar S>
  void expect_rows_of_the_answer(Factorization<S>& factorization, Operation operation, Index num_columns) {
    const Index order = rank_backend_of(factorization).system().matrix().order();
    DenseMatrix<S> b = testing::random_dense<S>(order, num_columns, random_());
    OwnedSides<S> mine = testing::scattered_sides(b, ranks_.num_ranks(), random_)[static_cast<std::size_t>(ranks_.rank())];
    DenseMatrix<S> x(order, num_columns);
    const Index ld = std::max(order, Index{1});
    const SolveReport expected =
        factorization.solve({b.values.data(), order, num_columns, ld}, {x.values.data(), order, num_columns, ld}, operation);
    EXPECT_EQ(expected.verdict, Verdict::solved) << expected.describe();
    const SolveReport report = factorization.solve_rows(mine.view().b, mine.view().x, operation);
    EXPECT_EQ(mine.x.values, mine.rows_asked_for(x).values);
    EXPECT_EQ(report.verdict, expected.verdict);
    ASSERT_EQ(report.columns.size(), expected.columns.size());
    for (std::size_t j = 0; j < report.columns.size(); ++j) {
      EXPECT_EQ(report.columns[j].normwise_backward_error, expected.columns[j].normwise_backward_error);
    }
  }

  // Checks that the UsageError of `work` is the same on all ranks and names `origin`.
  void expect_refusal(Rank origin, const std::function<void()>& work) const {
    std::string text;
    try {
      work();
    } catch (const UsageError& error) {
      text = error.what();
    }
    EXPECT_EQ(text.rfind("rank " + std::to_string(origin), 0), 0U) << text;
    for (const std::vector<std::byte>& other : all_gather(ranks_, std::as_bytes(std::span(text)))) {
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(other.data()), other.size()), text);
    }
  }

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }
  [[nodiscard]] Rank last() const { return ranks_.num_ranks() - 1; }
  [[nodiscard]] bool is_last() const { return ranks_.rank() == last(); }
  [[nodiscard]] std::string trace() const { return "seed " + std::to_string(seed_); }

 private:
  Communicator ranks_ = mpi_world(test::mpi_gate());
  std::uint32_t seed_ = std::random_device{}();
  std::mt19937 random_;  // the same on all ranks
};

template <class S>
class DistributedRowsOf : public ::testing::Test, protected RowsOfRanks {};
TYPED_TEST_SUITE(DistributedRowsOf, test::Scalars);

TYPED_TEST(DistributedRowsOf, GiveTheAnswerOfRank0) {
  using S = TypeParam;
  SCOPED_TRACE(this->trace());
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const SparseMatrix<S> matrix = testing::random_matrix<S>(80, 4, symmetry, Flavour::dominant, 11);
    for (const bool is_transposed : {false, true}) {
      auto factorization = this->factorize(SystemMatrix<S>(matrix.view(), is_transposed), spreading_options());
      for (const Operation operation : test::kOperations) {
        this->expect_rows_of_the_answer(factorization, operation, 3);
      }
      this->expect_rows_of_the_answer(factorization, Operation::plain, 70);  // more than one block
      this->expect_rows_of_the_answer(factorization, Operation::plain, 0);
    }
  }
}

class DistributedRows : public ::testing::Test, protected RowsOfRanks {};

TEST_F(DistributedRows, AreThereForSmallOrders) {
  SCOPED_TRACE(trace());
  for (const Index order : {0, 1, 2}) {
    const auto matrix = testing::random_matrix<double>(order, 1, Symmetry::general, Flavour::dominant, 3);
    auto factorization = factorize<double>(matrix, spreading_options());
    expect_rows_of_the_answer(factorization, Operation::plain, 2);
  }
}

TEST_F(DistributedRows, AddUpOverTheRanks) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  auto factorization = factorize<double>(matrix, spreading_options());
  const std::vector<Index> rows = {5, 6, 5};
  std::vector<double> b = {1, 2, 3};
  std::vector<double> x(3);
  ASSERT_EQ(factorization.solve_rows({rows, {b.data(), 3, 1, 3}}, {rows, {x.data(), 3, 1, 3}}).verdict, Verdict::solved);
  DenseMatrix<double> sum(matrix.num_rows, 1);
  sum(5, 0) = 4.0 * ranks().num_ranks();
  sum(6, 0) = 2.0 * ranks().num_ranks();
  DenseMatrix<double> whole(matrix.num_rows, 1);
  const DenseView<double> view{whole.values.data(), matrix.num_rows, 1, matrix.num_rows};
  (void)factorization.solve({sum.values.data(), matrix.num_rows, 1, matrix.num_rows}, view, Operation::plain);
  EXPECT_EQ(x, (std::vector<double>{whole(5, 0), whole(6, 0), whole(5, 0)}));
}

TEST_F(DistributedRows, AreRefusedOnAllRanksAlike) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  auto factorization = factorize<double>(matrix, spreading_options());
  std::vector<Index> rows = {5, 6};
  std::vector<double> b = {1, 2, 3, 4};
  std::vector<double> x(4);
  const auto solve_on_last = [&](Index num_columns, Index ld) {
    const Index width = is_last() ? num_columns : 2;
    const Index its_ld = is_last() ? ld : 2;
    (void)factorization.solve_rows({rows, {b.data(), 2, width, its_ld}}, {rows, {x.data(), 2, width, its_ld}});
  };
  expect_refusal(last(), [&] { solve_on_last(2, 1); });
  if (last() > 0) {
    expect_refusal(last(), [&] { solve_on_last(1, 2); });
  }
  expect_refusal(0, [&] { (void)factorization.solve_rows({rows, {b.data(), 2, 2, 2}}, {rows, {x.data(), 2, 1, 2}}); });
  for (const Index row : {-1, matrix.num_rows}) {
    rows[1] = is_last() ? row : 6;
    expect_refusal(last(), [&] { solve_on_last(2, 2); });
  }
  rows[1] = 6;
  b[3] = is_last() ? std::numeric_limits<double>::quiet_NaN() : 1;
  expect_refusal(last(), [&] { solve_on_last(2, 2); });
  b[3] = 1;
  solve_on_last(2, 2);
}

TEST_F(DistributedRows, OfRank0AreRefusedOnAllRanksAlike) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  auto factorization = factorize<double>(matrix, spreading_options());
  std::vector<double> b(64, 1);
  std::vector<double> x(64);
  expect_refusal(0, [&] { (void)factorization.solve({b.data(), 63, 1, 64}, {x.data(), 64, 1, 64}); });
  b[63] = std::numeric_limits<double>::infinity();
  expect_refusal(0, [&] { (void)factorization.solve({b.data(), 64, 1, 64}, {x.data(), 64, 1, 64}); });
}

TEST_F(DistributedRows, AreNaNWithoutFactors) {
  SparseMatrix<double> matrix = testing::laplacian<double>(4);
  matrix.values.front() = -6;
  SolverOptions options = spreading_options();
  options.method = Method::cholesky;
  auto factorization = factorize<double>(matrix, options);
  const std::vector<Index> rows = {63};
  double b = 1;
  double x = 0;
  const SolveReport report = factorization.solve_rows({rows, {&b, 1, 1, 1}}, {rows, {&x, 1, 1, 1}});
  EXPECT_EQ(report.verdict, Verdict::not_positive_definite);
  EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace frond
