// SPDX-License-Identifier: BSD-3-Clause
// The root on a grid holds the entries of A and the sum of what children leave, each entry on its rank.
#include "factorization/root_assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "matrices/dense_matrix.hpp"
#include "tests/factorization/dense_oracle.hpp"
#include "tests/factorization/scalars.hpp"
#include "tests/factorization/single_front.hpp"
#include "tests/factorization/sparse_problems.hpp"
#include "tests/matrices/random_matrix.hpp"

namespace frond::test {
namespace {

constexpr Method kMethods[] = {Method::cholesky, Method::lu};
constexpr GridShape kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 3}};

// The parts of all ranks, zero.
template <Scalar S>
class Parts {
 public:
  explicit Parts(const RootLayout& layout) : layout_(layout) {
    for (Rank rank = 0; rank < layout.shape().size(); ++rank) {
      memory_.emplace_back(static_cast<std::size_t>(layout.num_entries(layout.position(rank))));
    }
  }

  [[nodiscard]] RootPart<S> operator[](Rank rank) {
    return {layout_, layout_.position(rank), memory_[static_cast<std::size_t>(rank)].data()};
  }

  // What is on the grid; for LU that is A^T.
  [[nodiscard]] DenseMatrix<S> whole() {
    DenseMatrix<S> matrix(layout_.order(), layout_.order());
    for (Rank rank = 0; rank < layout_.shape().size(); ++rank) {
      copy_to_whole((*this)[rank], matrix.values.data());
    }
    return matrix;
  }

 private:
  RootLayout layout_;
  std::vector<std::vector<S>> memory_;
};

// What a child leaves, as a dense matrix, and the sequence of the entries of some of its rows.
template <Scalar S>
struct Child {
  std::vector<Index> positions;
  DenseMatrix<S> rows;

  Child(Index order, Index root_order, std::mt19937& random) : positions(static_cast<std::size_t>(root_order)), rows(order, order) {
    std::iota(positions.begin(), positions.end(), 0);
    std::shuffle(positions.begin(), positions.end(), random);
    positions.resize(static_cast<std::size_t>(order));
    std::sort(positions.begin(), positions.end());
    std::uniform_int_distribution<int> draw(-9, 9);
    std::generate(rows.values.begin(), rows.values.end(), [&] { return S(static_cast<RealOf<S>>(draw(random))); });
  }

  [[nodiscard]] std::vector<S> sequence(Method method, Index begin, Index end) const {
    std::vector<S> entries;
    if (method == Method::lu) {
      for (Index i = begin; i < end; ++i) {
        for (Index j = 0; j < rows.num_cols; ++j) {
          entries.push_back(rows(i, j));
        }
      }
      return entries;
    }
    for (Index j = 0; j < end; ++j) {
      for (Index i = std::max(begin, j); i < end; ++i) {
        entries.push_back(rows(i, j));
      }
    }
    return entries;
  }

  void add_to(Method method, DenseMatrix<S>& root) const {
    for (Index i = 0; i < rows.num_rows; ++i) {
      for (Index j = 0; j < (method == Method::lu ? rows.num_cols : i + 1); ++j) {
        const Index row = positions[static_cast<std::size_t>(i)];
        const Index col = positions[static_cast<std::size_t>(j)];
        (method == Method::lu ? root(col, row) : root(row, col)) += rows(i, j);
      }
    }
  }
};

template <Scalar S>
void send(Method method, const Child<S>& child, Index begin, Index end, const RootLayout& layout, Parts<S>& parts) {
  const std::vector<S> sequence = child.sequence(method, begin, end);
  Count num_sent = 0;
  for (Rank rank = 0; rank < layout.shape().size(); ++rank) {
    const RootPiece piece(layout, method, {child.positions, begin, end}, layout.position(rank));
    std::vector<S> entries(static_cast<std::size_t>(piece.num_entries()) + 1, S(std::numeric_limits<RealOf<S>>::signaling_NaN()));
    piece.pack(sequence.data(), entries.data());
    piece.add(entries.data(), parts[rank].entries);
    EXPECT_TRUE(std::isnan(std::real(entries.back())));
    num_sent += piece.num_entries();
  }
  EXPECT_EQ(num_sent, static_cast<Count>(sequence.size()));
}

template <class S>
class RootAssemblyTest : public ::testing::Test {};
TYPED_TEST_SUITE(RootAssemblyTest, Scalars);

TYPED_TEST(RootAssemblyTest, PiecesOfChildrenAddUpToTheirSumWhoeverSendsThem) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  constexpr Index kOrder = 37;
  for (const Method method : kMethods) {
    for (const GridShape shape : kShapes) {
      SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", grid " << shape.num_rows << " x "
                                      << shape.num_cols);
      const RootLayout layout(kOrder, 4, shape);
      Parts<TypeParam> parts(layout);
      DenseMatrix<TypeParam> expected(kOrder, kOrder);
      for (const Index child_order : {0, 1, 20, 37}) {
        const Child<TypeParam> child(child_order, kOrder, random);
        child.add_to(method, expected);
        std::vector<Index> cuts = {0, child_order};
        for (int k = 0; k < 3; ++k) {
          cuts.push_back(std::uniform_int_distribution<Index>(0, child_order)(random));
        }
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
          send(method, child, cuts[k], cuts[k + 1], layout, parts);
        }
      }
      EXPECT_EQ(parts.whole().values, expected.values);
    }
  }
}

// A dense matrix has one front, its root. Delayed pivots, if there were any, came before.
TYPED_TEST(RootAssemblyTest, EntriesAreTheScaledMatrixBehindDelayedPivots) {
  using S = TypeParam;
  constexpr Index kOrder = 21;
  constexpr Index kDelayed = 3;
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (const Method method : kMethods) {
    const SparseMatrix<S> a = random_sparse<S>(symmetry_of(method), kOrder, 1.0, Values::random, seed);
    const auto symbolic = analyze(a.pattern());
    ASSERT_EQ(symbolic->tree().num_nodes(), 1);
    std::vector<RealOf<S>> rows(kOrder);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = static_cast<RealOf<S>>(1 << (i % 5));
    }
    std::vector<RealOf<S>> cols(rows);
    if (method == Method::lu) {
      std::reverse(cols.begin(), cols.end());
    }
    std::vector<RealOf<S>> new_rows;
    std::vector<RealOf<S>> new_cols;
    for (const Index old : symbolic->permutation().perm) {
      new_rows.push_back(rows[static_cast<std::size_t>(old)]);
      new_cols.push_back(cols[static_cast<std::size_t>(old)]);
    }
    const DenseMatrix<S> scaled = permuted_matrix(Factors<S>(symbolic, method, {}, nullptr, rows, cols), a.view());
    DenseMatrix<S> expected(kOrder + kDelayed, kOrder + kDelayed);
    for (Index j = 0; j < kOrder; ++j) {
      for (Index i = method == Method::lu ? 0 : j; i < kOrder; ++i) {
        expected(i + kDelayed, j + kDelayed) = method == Method::lu ? scaled(j, i) : scaled(i, j);
      }
    }
    for (const GridShape shape : kShapes) {
      Parts<S> parts(RootLayout(kOrder + kDelayed, 4, shape));
      for (Rank rank = 0; rank < shape.size(); ++rank) {
        add_root_entries<S>(*symbolic, method, {a.values, new_rows, new_cols}, 0, kDelayed, parts[rank]);
      }
      EXPECT_EQ(parts.whole().values, expected.values) << shape.num_rows << " x " << shape.num_cols;
    }
  }
}

}  // namespace
}  // namespace frond::test
