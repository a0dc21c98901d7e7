// SPDX-License-Identifier: BSD-3-Clause
// Tests finite elements spread over any ranks, against their sum by plain loops.
#include "tests/support/matrices/finite_elements.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/matrices/scalars.hpp"

namespace frond {
namespace {

template <class S>
class FiniteElementsOnRanks : public testing::OnRanks {};
TYPED_TEST_SUITE(FiniteElementsOnRanks, test::Scalars);

TYPED_TEST(FiniteElementsOnRanks, AreSolved) {
  using S = TypeParam;
  const Communicator& ranks = this->ranks_;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    SCOPED_TRACE(static_cast<int>(symmetry));
    const testing::SquareOfElements<S> elements(12, symmetry);
    Triplets<S> mine = elements.nothing();
    for (Index element = ranks.rank(); element < elements.num_elements(); element += ranks.num_ranks()) {
      elements.add_to(mine, element);
    }
    const Factorization<S> factorization(mine, testing::spread_with_grid(ranks), this->place_);
    const DenseMatrix<S> b = testing::random_dense<S>(elements.order(), 2, 3);
    DenseMatrix<S> x(elements.order(), 2);
    const SolveReport report =
        factorization.solve(ranks.rank() == 0 ? view_of(b) : DenseView<const S>{}, view_of(x), Operation::plain);
    EXPECT_EQ(report.verdict, Verdict::solved) << report.describe();
    EXPECT_LE(testing::dense_backward_error(elements.sum(), x, b), 10 * std::numeric_limits<RealOf<S>>::epsilon());
  }
}

}  // namespace
}  // namespace frond
