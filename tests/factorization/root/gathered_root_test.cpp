// SPDX-License-Identifier: BSD-3-Clause
// Tests the root on a grid in one process.
#include "tests/support/ranks/gathered_root.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/root_on_grid.hpp"

namespace frond::test {
namespace {

constexpr GridShape kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}};

template <Scalar S>
std::vector<GridMember<S>> make_members(GridShape shape, Method method, RealOf<S> null_pivot) {
  std::vector<GridMember<S>> members;
  for (std::unique_ptr<RootSolver<S>>& solver : make_gathered_roots<S>(shape, method, null_pivot)) {
    members.push_back({static_cast<Rank>(members.size()), std::move(solver)});
  }
  return members;
}

template <class S>
class GatheredRootTest : public ::testing::Test {
 protected:
  std::uint32_t seed_ = std::random_device{}();
};
TYPED_TEST_SUITE(GatheredRootTest, Scalars);

TYPED_TEST(GatheredRootTest, FactorizesAndSolves) {
  for (const GridShape shape : kShapes) {
    for (const Index order : {1, 5, 17, 41}) {
      check_factors_and_solutions<TypeParam>(make_members<TypeParam>, shape, Method::cholesky, order, this->seed_);
      check_factors_and_solutions<TypeParam>(make_members<TypeParam>, shape, Method::lu, order, this->seed_);
    }
  }
}

TYPED_TEST(GatheredRootTest, NamesPivotsThatAreNotPositive) {
  check_not_positive_definite<TypeParam>(make_members<TypeParam>, {2, 2}, this->seed_);
}

TYPED_TEST(GatheredRootTest, LeavesSingularRootsToTheFirstRank) {
  check_rejected<TypeParam>(make_members<TypeParam>, {2, 2}, this->seed_);
}

TYPED_TEST(GatheredRootTest, RejectsWhatIsNoNumber) { check_no_numbers<TypeParam>(make_members<TypeParam>, {2, 2}, this->seed_); }

}  // namespace
}  // namespace frond::test
