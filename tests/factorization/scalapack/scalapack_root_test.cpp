// SPDX-License-Identifier: BSD-3-Clause
// Tests the root on a process grid, by ScaLAPACK. Processes outside the grid sleep meanwhile.
#include "factorization/scalapack/scalapack_root.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "tests/factorization/scalapack/grid_test.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/programs/memory_refusal.hpp"
#include "tests/support/ranks/mpi_test.hpp"
#include "tests/support/ranks/root_on_grid.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

template <class S>
class ScalapackRootTest : public GridTest {
 protected:
  [[nodiscard]] MakeMembers<S> on_grid() const {
    return [this](GridShape shape, Method method, RealOf<S> null_pivot) {
      std::vector<GridMember<S>> members;
      if (const Rank grid_rank = this->grid_rank(shape); grid_rank >= 0) {
        members.push_back({grid_rank, std::make_unique<ScalapackRoot<S>>(grid_ranks(shape), shape, method, null_pivot)});
      }
      return members;
    };
  }

  [[nodiscard]] std::vector<GridShape> shapes() const {
    switch (world_.num_ranks()) {
      case 1:
        return {{1, 1}};
      case 2:
        return {{1, 1}, {1, 2}, {2, 1}};
      default:
        return {{1, 2}, {2, 2}};
    }
  }

  // Four ranks take seconds if there are fewer cores: one order and one scalar cover everything that is new with them.
  [[nodiscard]] static std::vector<Index> orders(GridShape shape) {
    if (shape.size() <= 2) {
      return {1, 5, 17, 41};
    }
    return std::is_same_v<S, std::complex<double>> ? std::vector<Index>{17} : std::vector<Index>{};
  }
};
TYPED_TEST_SUITE(ScalapackRootTest, test::Scalars);

TYPED_TEST(ScalapackRootTest, FactorizesAndSolves) {
  for (const GridShape shape : this->shapes()) {
    for (const Index order : this->orders(shape)) {
      check_factors_and_solutions<TypeParam>(this->on_grid(), shape, Method::cholesky, order, this->seed_);
      check_factors_and_solutions<TypeParam>(this->on_grid(), shape, Method::lu, order, this->seed_);
    }
    this->wait_for_all();
  }
}

TYPED_TEST(ScalapackRootTest, NamesPivotsThatAreNotPositive) {
  check_not_positive_definite<TypeParam>(this->on_grid(), this->shapes().front(), this->seed_);
  this->wait_for_all();
}

TYPED_TEST(ScalapackRootTest, LeavesSingularRootsToTheFirstRank) {
  check_rejected<TypeParam>(this->on_grid(), this->shapes().front(), this->seed_);
  this->wait_for_all();
}

TYPED_TEST(ScalapackRootTest, RejectsWhatIsNoNumber) {
  for (const GridShape shape : this->shapes()) {
    if (shape.size() <= 2) {
      check_no_numbers<TypeParam>(this->on_grid(), shape, this->seed_);
    }
    this->wait_for_all();
  }
}

TYPED_TEST(ScalapackRootTest, RunsAsATaskOfAnotherThread) {
  if (!mpi_gate()->threads_may_call()) {
    GTEST_SKIP() << "only one thread may call MPI";
  }
  std::thread task(
      [&] { check_factors_and_solutions<TypeParam>(this->on_grid(), this->shapes().front(), Method::lu, 20, this->seed_); });
  this->wait_for_all();
  task.join();
}

TYPED_TEST(ScalapackRootTest, TwoRootsLiveSideBySide) {
  using S = TypeParam;
  const DenseMatrix<S> a = front_matrix<S>(FrontKind::random, Symmetry::general, 30, 30, this->seed_);
  const DenseMatrix<S> c = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, 20, 20, this->seed_);
  RootOnGrid<S> root(this->on_grid(), Method::lu, a, 4, this->shapes().front(), 0);
  EXPECT_EQ(root.factorize().status, RootStatus::success);
  const DenseMatrix<S> alone = root.solve(RootFactors::both, Operation::plain, a);
  {
    RootOnGrid<S> other(this->on_grid(), Method::cholesky, c, 4, this->shapes().front(), 0);
    EXPECT_EQ(other.factorize().status, RootStatus::success);
    EXPECT_EQ(root.solve(RootFactors::both, Operation::plain, a).values, alone.values);
  }
  EXPECT_EQ(root.solve(RootFactors::both, Operation::plain, a).values, alone.values);
  this->wait_for_all();
}

TEST(ScalapackRoot, RefusesRootsThatScalapackCannotCount) {
  const Communicator world = mpi_world(mpi_gate());
  ScalapackRoot<double> root(world.of_ranks(std::vector<Rank>{world.rank()}), {1, 1}, Method::lu, 0);
  testing::expect_error<UsageError>("at least 2 times as many processes", [&] {
    root.factorize({RootLayout(46341, 64, {1, 1}), {}, nullptr}, [](const RootOutcome&) { FAIL(); });
  });
}

TEST(ScalapackRoot, EndsOnAllRanksWhenMemoryIsShortOnOne) {
  const Communicator world = mpi_world(mpi_gate());
  const bool is_short = world.rank() == world.num_ranks() - 1;
  const RootLayout layout(10, 2, {1, world.num_ranks()});
  const GridPosition position = layout.position(world.rank());
  std::vector<double> entries(static_cast<std::size_t>(layout.num_entries(position)), 1.0);
  ScalapackRoot<double> root(world.duplicate(), layout.shape(), Method::lu, 0);
  const std::function<void(const RootOutcome&)> never = [](const RootOutcome&) { ADD_FAILURE() << "nothing came of it"; };
  bool has_thrown = false;
  refuses_memory = is_short;
  try {
    root.factorize({layout, position, entries.data()}, never);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  refuses_memory = false;
  EXPECT_EQ(has_thrown, is_short);
}

}  // namespace
}  // namespace frond::test
