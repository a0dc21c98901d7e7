// SPDX-License-Identifier: BSD-3-Clause
// Runs two solvers in each process, on separate communicators: alternately, and at the same time in two threads.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <memory>
#include <thread>
#include <utility>

#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

// Holds a system on some ranks, whose answers are checked without the solver.
template <Scalar S>
class Solver {
 public:
  Solver(const Communicator& ranks, SparseMatrix<S> matrix)
      : ranks_(ranks), matrix_(std::move(matrix)), factorization_(factorize_on_ranks<S>(analyze_on_ranks())) {}

  void expect_solution(std::uint64_t seed) { testing::expect_solves(factorization_, matrix_, Operation::plain, 2, seed); }

 private:
  // Spreads even small systems over the ranks, but keeps each root on one rank: concurrent solvers would have to enter shared roots
  // in the same order.
  [[nodiscard]] std::shared_ptr<const DistributedSystem<S>> analyze_on_ranks() const {
    SolverOptions options;
    options.factorization.num_threads = 2;
    MappingOptions& mapping = options.analysis.mapping;
    mapping.upper_node_seconds = 0;
    mapping.layer_tolerance = 0.01;
    mapping.grid_ranks = {0};
    const SystemMatrix<S> given(matrix_);
    return std::make_shared<const DistributedSystem<S>>(ranks_, ranks_.rank() == 0 ? &given : nullptr, options);
  }

  const Communicator& ranks_;
  SparseMatrix<S> matrix_;
  Factorization<S> factorization_;
};

SparseMatrix<std::complex<float>> indefinite_matrix() {
  return testing::random_matrix<std::complex<float>>(90, 4, Symmetry::hermitian, testing::Flavour::zero_diagonal, 12);
}

void solve_some_systems(const Communicator& ranks) {
  for (std::uint64_t round = 0; round < 4; ++round) {
    Solver<double> solver(ranks, testing::laplacian<double>(5 + static_cast<Index>(round)));
    solver.expect_solution(round);
    solver.expect_solution(round + 10);
  }
}

void solve_some_other_systems(const Communicator& ranks) {
  for (std::uint64_t round = 0; round < 6; ++round) {
    Solver<std::complex<float>> solver(ranks, indefinite_matrix());
    solver.expect_solution(round);
  }
}

class TwoSolvers : public ::testing::Test {
 protected:
  // The communicators are duplicated in the same order on all ranks.
  Communicator first_ = mpi_world(test::mpi_gate());
  Communicator second_ = mpi_world(test::mpi_gate());
};

TEST_F(TwoSolvers, TakeTurnsInOneThread) {
  Solver<double> first(first_, testing::laplacian<double>(6));
  Solver<std::complex<float>> second(second_, indefinite_matrix());
  Solver<double> third(first_, testing::laplacian<double>(4));  // shares the communicator of the first
  for (std::uint64_t round = 0; round < 3; ++round) {
    first.expect_solution(round);
    second.expect_solution(round);
    third.expect_solution(round);
  }
}

TEST_F(TwoSolvers, WorkAtTheSameTimeInTwoThreads) {
  if (!first_.gate().threads_may_call()) {
    GTEST_SKIP() << "MPI lets one thread call it";
  }
  std::thread other([this] { solve_some_other_systems(second_); });
  solve_some_systems(first_);
  other.join();
}

TEST_F(TwoSolvers, WorkAtTheSameTimeOnAllRanksAndOnHalfOfThem) {
  if (!first_.gate().threads_may_call()) {
    GTEST_SKIP() << "MPI lets one thread call it";
  }
  MPI_Comm split = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(MPI_COMM_WORLD, first_.rank() % 2, -first_.rank(), &split), "MPI_Comm_split");
  {
    const Communicator half = duplicate(split, test::mpi_gate());
    EXPECT_EQ(half.num_ranks(), (first_.num_ranks() + (first_.rank() % 2 == 0 ? 1 : 0)) / 2);
    std::thread other([this] { solve_some_other_systems(second_); });
    solve_some_systems(half);
    other.join();
  }
  check_mpi(MPI_Comm_free(&split), "MPI_Comm_free");
}

}  // namespace
}  // namespace frond
