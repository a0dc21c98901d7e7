// SPDX-License-Identifier: BSD-3-Clause
// Tests systems of one pattern that are solved several at a time: each gets what it gets alone.
#include "solver/thin/lane_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "frond/analysis.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/thin_options.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

template <class S>
class LaneSystemTest : public ::testing::Test {};
using LaneScalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LaneSystemTest, LaneScalars);

// Matrices of one pattern with values around those of the first, and factors of the first.
template <Scalar S>
struct Family {
  std::vector<SparseMatrix<S>> members;
  std::shared_ptr<const ThinSystem<S>> leader;

  Family(Symmetry symmetry, bool are_transposed, std::uint64_t seed) {
    SparseMatrix<S> first = testing::random_matrix<S>(50, 4, symmetry, testing::Flavour::dominant, seed);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<RealOf<S>> factor(RealOf<S>(0.9), RealOf<S>(1.1));
    for (int k = 0; k <= kLanes<S>; ++k) {
      members.push_back(first);
      std::ranges::for_each(first.values, [&](S& value) { value *= factor(random); });
    }
    const SystemMatrix<S> leading(members[0].view(), are_transposed);
    const Analysis analysis = analyze(leading, testing::with_thin(Use::always));
    leader = ThinSystem<S>::factorize(analysis.thin(), leading);
  }

  [[nodiscard]] std::vector<SystemMatrix<S>> systems(bool are_transposed) const {
    std::vector<SystemMatrix<S>> rest;
    for (int k = 1; k <= kLanes<S>; ++k) {
      rest.emplace_back(members[k].view(), are_transposed);
    }
    return rest;
  }
};

// Right-hand sides with zeros: some x have zeros, too.
template <Scalar S>
DenseMatrix<S> sides(Index order, Index num_columns) {
  DenseMatrix<S> b = testing::random_dense<S>(order, num_columns, 5);
  for (std::size_t k = 0; k < b.values.size(); k += 3) {
    b.values[k] = S(0);
  }
  return b;
}

TYPED_TEST(LaneSystemTest, SolvesEverySystemOfEveryKindAndOperation) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const bool are_transposed : {false, true}) {
      const Family<S> family(symmetry, are_transposed, 7);
      ASSERT_TRUE(family.leader && LaneSystem<S>::suits(*family.leader));
      LaneSystem<S> lanes(family.leader);
      for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
        for (const int num_systems : {kLanes<S>, kLanes<S> - 1, 1}) {
          constexpr Index kColumns = 2;
          const std::vector<SystemMatrix<S>> all = family.systems(are_transposed);
          const DenseMatrix<S> b = sides<S>(50, num_systems * kColumns);
          DenseMatrix<S> x(50, b.num_cols);
          const auto reports = lanes.solve({std::span(all).first(num_systems), view_of(b), view_of(x), kColumns, operation});
          for (int k = 0; k < num_systems; ++k) {
            SparseMatrix<S> matrix = family.members[k + 1];
            ASSERT_TRUE(reports[k]) << static_cast<int>(symmetry) << " " << k;
            EXPECT_EQ(reports[k]->verdict, Verdict::solved);
            DenseMatrix<S> a = testing::dense(matrix, operation);
            if (are_transposed) {
              const DenseMatrix<S> stored = testing::dense(matrix, Operation::transposed);
              a = operation == Operation::plain ? stored : testing::dense(matrix);
              std::ranges::transform(a.values, a.values.begin(),
                                     [&](S value) { return operation == Operation::adjoint ? conjugate(value) : value; });
            }
            const auto own = [&](const DenseMatrix<S>& whole) {
              DenseMatrix<S> part(50, kColumns);
              std::copy_n(whole.values.begin() + k * kColumns * 50, kColumns * 50, part.values.begin());
              return part;
            };
            const double error = testing::dense_componentwise_error(a, own(x), own(b));
            EXPECT_LE(error, 10 * eps);
            EXPECT_LE(error, 2 * reports[k]->worst().componentwise_backward_error + 10 * eps);
          }
        }
      }
    }
  }
}

TYPED_TEST(LaneSystemTest, LeavesASystemThatIsAnotherKindAloneAndNoOther) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const Family<S> family(symmetry, false, 9);
    LaneSystem<S> lanes(family.leader);
    const DenseMatrix<S> b = sides<S>(50, kLanes<S>);
    DenseMatrix<S> expected(50, kLanes<S>);
    (void)lanes.solve({family.systems(false), view_of(b), view_of(expected), 1, Operation::plain});
    SparseMatrix<S> other = testing::random_matrix<S>(50, 4, symmetry, testing::Flavour::dominant, 8);
    SparseMatrix<S> singular = family.members[1];
    testing::for_each_entry(singular, [](Index i, Index j, S& value) { value = i == 17 || j == 17 ? S(0) : value; });
    SparseMatrix<S> infinite = family.members[1];
    infinite.values[3] = std::numeric_limits<RealOf<S>>::infinity();
    for (const SparseMatrix<S>* odd : {&other, &singular, &infinite}) {
      for (const int place : {0, kLanes<S> - 1}) {
        std::vector<SystemMatrix<S>> systems = family.systems(false);
        systems[place] = *odd;
        DenseMatrix<S> x(50, kLanes<S>);
        const auto reports = lanes.solve({systems, view_of(b), view_of(x), 1, Operation::plain});
        for (int k = 0; k < kLanes<S>; ++k) {
          EXPECT_EQ(reports[k].has_value(), k != place);
          if (k != place) {
            EXPECT_TRUE(std::equal(x.values.begin() + k * 50, x.values.begin() + (k + 1) * 50, expected.values.begin() + k * 50));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace frond
