// SPDX-License-Identifier: BSD-3-Clause
// Tests Cholesky on process grids of all shapes: entry by entry what LAPACK computes from the whole matrix.
#include "factorization/scalapack/grid_cholesky.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "factorization/kernels/blas.hpp"
#include "tests/factorization/scalapack/grid_test.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

constexpr Index kBlockSize = 8;

template <class S>
class GridCholeskyTest : public GridTest {
 protected:
  // Returns every shape with as many ranks as there are, or one less.
  [[nodiscard]] std::vector<GridShape> shapes() const {
    std::vector<GridShape> shapes;
    for (Rank size = std::max(1, world_.num_ranks() - 1); size <= world_.num_ranks(); ++size) {
      for (Rank num_rows = 1; num_rows <= size; ++num_rows) {
        if (size % num_rows == 0) {
          shapes.push_back({num_rows, size / num_rows});
        }
      }
    }
    return shapes;
  }

  // This rank's part of a matrix on the last ranks. Entries above the diagonal are NaN.
  struct Part {
    std::optional<Communicator> ranks;
    std::vector<S> entries;
    RootPart<S> part;
  };
  [[nodiscard]] Part distribute(const DenseMatrix<S>& a, GridShape shape) const {
    Part own;
    const Rank grid_rank = this->grid_rank(shape);
    if (grid_rank < 0) {
      return own;
    }
    own.ranks.emplace(grid_ranks(shape));
    const RootLayout layout(a.num_rows, kBlockSize, shape);
    own.part = {layout, layout.position(grid_rank), nullptr};
    own.entries.assign(static_cast<std::size_t>(layout.num_entries(own.part.position)),
                       std::numeric_limits<RealOf<S>>::quiet_NaN());
    own.part.entries = own.entries.data();
    for_own_lower_entries(own, [&](Index row, Index col, S& entry) { entry = a(row, col); });
    return own;
  }

  template <class Visit>
  static void for_own_lower_entries(Part& own, Visit visit) {
    const RootLayout& layout = own.part.layout;
    for (Index col = 0; col < layout.order(); ++col) {
      for (Index row = col; row < layout.order(); ++row) {
        if (layout.owner(row, col) == own.part.position) {
          visit(row, col, own.part.entries[layout.offset(row, col)]);
        }
      }
    }
  }
};
TYPED_TEST_SUITE(GridCholeskyTest, test::Scalars);

TYPED_TEST(GridCholeskyTest, FactorsAreThoseOfTheWholeMatrix) {
  using S = TypeParam;
  for (const GridShape shape : this->shapes()) {
    for (const Index order : {1, 7, 8, 9, 40, 101}) {
      SCOPED_TRACE(::testing::Message() << order << " on " << shape.num_rows << " x " << shape.num_cols << ", seed "
                                        << this->seed_);
      DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, order, order, this->seed_);
      auto own = this->distribute(a, shape);
      if (own.ranks) {
        EXPECT_EQ(GridCholesky<S>(*own.ranks, own.part).run(), order);
        ASSERT_EQ(blas::potrf(DenseView<S>{a.values.data(), order, order, order}), -1);
        const double tolerance = 10.0 * order * std::numeric_limits<RealOf<S>>::epsilon() * std::abs(a(0, 0));
        double largest = 0;
        this->for_own_lower_entries(own, [&](Index row, Index col, S entry) {
          const double difference = std::abs(entry - a(row, col));
          largest = difference <= largest ? largest : difference;  // true for NaN as well
        });
        EXPECT_LE(largest, tolerance);
      }
      this->wait_for_all();
    }
  }
}

TYPED_TEST(GridCholeskyTest, StopsOnAllRanksAtAPivotThatIsNotPositive) {
  using S = TypeParam;
  constexpr Index kOrder = 60;
  for (const GridShape shape : this->shapes()) {
    for (const Index bad : {0, 13, 16, 59}) {
      SCOPED_TRACE(::testing::Message() << bad << " on " << shape.num_rows << " x " << shape.num_cols << ", seed " << this->seed_);
      DenseMatrix<S> a = front_matrix<S>(FrontKind::dominant, Symmetry::hermitian, kOrder, kOrder, this->seed_);
      a(bad, bad) = S(-1);
      auto own = this->distribute(a, shape);
      if (own.ranks) {
        const Index num_pivots = GridCholesky<S>(*own.ranks, own.part).run();
        const bool has_it = own.part.layout.owner(bad, bad) == own.part.position;
        EXPECT_EQ(num_pivots, has_it ? bad : bad / kBlockSize * kBlockSize);
      }
      this->wait_for_all();
    }
  }
}

}  // namespace
}  // namespace frond::test
