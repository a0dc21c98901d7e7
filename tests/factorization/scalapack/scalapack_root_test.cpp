// SPDX-License-Identifier: BSD-3-Clause
// The root on a grid of processes, by ScaLAPACK. Processes outside the grid sleep meanwhile.
#include "factorization/scalapack/scalapack_root.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "matrices/error.hpp"
#include "tests/factorization/root_on_grid.hpp"
#include "tests/factorization/scalars.hpp"
#include "tests/factorization/single_front.hpp"
#include "tests/mpi/mpi_test.hpp"

namespace frond::test {
namespace {

template <class S>
class ScalapackRootTest : public ::testing::Test {
 protected:
  ScalapackRootTest() : world_(Communicator::world(mpi_gate())), control_(world_.duplicate()) {
    seed_ = static_cast<std::uint32_t>(sum_over_ranks(control_, {world_.rank() == 0 ? std::random_device{}() : 0}, [] {}).front());
  }

  // The last ranks of all are the grid.
  [[nodiscard]] MakeMembers<S> on_grid() const {
    return [this](GridShape shape, Method method, RealOf<S> null_pivot) {
      RootGrid grid{0, shape, 0, {}};
      for (Rank k = 0; k < shape.size(); ++k) {
        grid.ranks.push_back(world_.num_ranks() - shape.size() + k);
      }
      std::vector<GridMember<S>> members;
      const auto mine = std::find(grid.ranks.begin(), grid.ranks.end(), world_.rank());
      if (mine != grid.ranks.end()) {
        members.push_back(
            {static_cast<Rank>(mine - grid.ranks.begin()), std::make_unique<ScalapackRoot<S>>(world_, grid, method, null_pivot)});
      }
      return members;
    };
  }

  [[nodiscard]] std::vector<GridShape> shapes() const {
    std::vector<GridShape> shapes;
    for (const GridShape shape : {GridShape{1, 1}, GridShape{1, 2}, GridShape{2, 1}, GridShape{2, 2}}) {
      if (shape.size() <= world_.num_ranks()) {
        shapes.push_back(shape);
      }
    }
    return shapes;
  }

  void wait_for_all() const {
    EXPECT_EQ(sum_over_ranks(control_, {1}, [] {}).front(), world_.num_ranks());
  }

  Communicator world_;
  Communicator control_;  // of the tests themselves
  std::uint32_t seed_ = 0;
};
TYPED_TEST_SUITE(ScalapackRootTest, Scalars);

TYPED_TEST(ScalapackRootTest, FactorizesAndSolves) {
  for (const GridShape shape : this->shapes()) {
    check_factors_and_solutions<TypeParam>(this->on_grid(), shape, Method::cholesky, this->seed_);
    check_factors_and_solutions<TypeParam>(this->on_grid(), shape, Method::lu, this->seed_);
    this->wait_for_all();
  }
}

TYPED_TEST(ScalapackRootTest, NamesPivotsThatAreNotPositive) {
  check_not_positive_definite<TypeParam>(this->on_grid(), this->shapes().back(), this->seed_);
  this->wait_for_all();
}

TYPED_TEST(ScalapackRootTest, LeavesSingularRootsToTheFirstRank) {
  check_rejected<TypeParam>(this->on_grid(), this->shapes().back(), this->seed_);
  this->wait_for_all();
}

TYPED_TEST(ScalapackRootTest, RunsAsATaskOfAnotherThread) {
  if (!mpi_gate()->threads_may_call()) {
    GTEST_SKIP() << "only one thread may call MPI";
  }
  std::thread task(
      [&] { check_factors_and_solutions<TypeParam>(this->on_grid(), this->shapes().back(), Method::lu, this->seed_); });
  this->wait_for_all();
  task.join();
}

TYPED_TEST(ScalapackRootTest, TwoRootsLiveSideBySide) {
  using S = TypeParam;
  const DenseMatrix<S> a = front_matrix<S>(FrontKind::random, Symmetry::general, 30, 30, this->seed_);
  const DenseMatrix<S> c = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, 20, 20, this->seed_);
  RootOnGrid<S> root(this->on_grid(), Method::lu, a, 4, this->shapes().back(), 0);
  EXPECT_EQ(root.factorize().status, RootStatus::success);
  const DenseMatrix<S> alone = root.solve(Operation::plain, a);
  {
    RootOnGrid<S> other(this->on_grid(), Method::cholesky, c, 4, this->shapes().front(), 0);
    EXPECT_EQ(other.factorize().status, RootStatus::success);
    EXPECT_EQ(root.solve(Operation::plain, a).values, alone.values);
  }
  EXPECT_EQ(root.solve(Operation::plain, a).values, alone.values);
  this->wait_for_all();
}

TEST(ScalapackRoot, RefusesRootsThatScalapackCannotCount) {
  const Communicator world = Communicator::world(mpi_gate());
  const RootGrid grid{0, {1, 1}, 64, {world.rank()}};
  ScalapackRoot<double> root(world, grid, Method::lu, 0);
  try {
    root.factorize({RootLayout(46341, 64, {1, 1}), {}, nullptr}, [](const RootOutcome&) { FAIL(); });
    FAIL() << "2^31 + 88345 entries were accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("at least 2 times as many processes"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace frond::test
