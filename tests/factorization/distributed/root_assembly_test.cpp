// SPDX-License-Identifier: BSD-3-Clause
// Tests that the root on a grid holds the entries of A plus its children's contributions, each entry on its rank.
#include "factorization/distributed/root_assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "factorization/distributed/row_stream.hpp"
#include "frond/dense.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

constexpr Method kMethods[] = {Method::cholesky, Method::lu};
constexpr GridShape kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {2, 3}};

// The parts of all ranks, initially zero.
template <Scalar S>
class Parts {
 public:
  explicit Parts(const RootLayout& layout) : layout_(layout) {
    for (Rank rank = 0; rank < layout.shape().size(); ++rank) {
      memory_.emplace_back(static_cast<std::size_t>(layout.num_entries(layout.position(rank))));
    }
  }

  [[nodiscard]] RootPart<S> operator[](Rank rank) { return {layout_, layout_.position(rank), memory_[rank].data()}; }

  // Returns the matrix on the grid; for LU that is A^T.
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

std::vector<Index> random_subset(Index size, std::mt19937& random) {
  std::vector<Index> subset;
  for (Index k = 0; k < size; ++k) {
    if (random() % 3 > 0) {
      subset.push_back(k);
    }
  }
  return subset;
}

// Cuts [0, size) into four pieces, some of which may be empty.
std::vector<std::pair<Index, Index>> random_cuts(Index size, std::mt19937& random) {
  std::vector<Index> cuts = {0, size};
  for (int k = 0; k < 3; ++k) {
    cuts.push_back(std::uniform_int_distribution<Index>(1, size)(random));
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<std::pair<Index, Index>> pieces;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    pieces.emplace_back(cuts[k], cuts[k + 1]);
  }
  return pieces;
}

template <Scalar S>
std::vector<S> random_integers(Count length, std::mt19937& random) {
  std::uniform_int_distribution<int> draw(-9, 9);
  std::vector<S> integers(static_cast<std::size_t>(length));
  std::generate(integers.begin(), integers.end(), [&] { return S(static_cast<RealOf<S>>(draw(random))); });
  return integers;
}

// A root of type 1, initially zero.
template <Scalar S>
struct WholeRoot {
  explicit WholeRoot(Index order, Index num_delayed_in) : whole(order, order) {
    front.factor.order = order;
    front.factor.num_fully_summed = order;
    front.factor.layout = {order, order, order};
    front.factor.lower = whole.values.data();
    front.num_delayed_in = num_delayed_in;
  }

  DenseMatrix<S> whole;
  NumericFront<S> front;
};

// Sends each rank its piece of a stream.
template <Scalar S>
void send(Method method, const ChildRows<S>& child, Index num_delayed_in, const RootLayout& layout, Count stream_length,
          Parts<S>& parts) {
  Count num_sent = 0;
  for (Rank rank = 0; rank < layout.shape().size(); ++rank) {
    const RootPiece<S> piece(layout, method, child, num_delayed_in, layout.position(rank));
    std::vector<S> entries(static_cast<std::size_t>(piece.num_entries()));
    const auto address_of = [&child](Count k) { return child.entries + k; };
    const Count middle = piece.num_entries() / 3;
    piece.pack(address_of, 0, middle, entries.data());
    piece.pack(address_of, middle, piece.num_entries(), entries.data() + middle);
    piece.add(middle, piece.num_entries(), entries.data() + middle, parts[rank].entries);
    piece.add(0, middle, entries.data(), parts[rank].entries);  // in any order
    num_sent += piece.num_entries();
  }
  EXPECT_EQ(num_sent, stream_length);
}

template <class S>
class RootAssemblyTest : public ::testing::Test {};
TYPED_TEST_SUITE(RootAssemblyTest, Scalars);

// Compares with the assembly of the same streams into a root of type 1.
TYPED_TEST(RootAssemblyTest, PiecesOfChildrenAddUpAsOnOneRank) {
  using S = TypeParam;
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  constexpr Index kTreeOrder = 30;
  constexpr Index kDelayed[] = {0, 3, 4};  // of each child
  constexpr Index kDelayedIn = 7;
  constexpr Index kOrder = kTreeOrder + kDelayedIn;
  for (const Method method : kMethods) {
    for (const GridShape shape : kShapes) {
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", grid " << shape.num_rows << " x "
                                        << shape.num_cols);
      const RootLayout layout(kOrder, 4, shape);
      Parts<S> parts(layout);
      WholeRoot<S> reference(kOrder, kDelayedIn);
      Index delayed_begin = 0;
      for (const Index num_delayed : kDelayed) {
        const std::vector<Index> relative_indices = random_subset(kTreeOrder, random);
        for (const auto& [begin, end] : random_cuts(static_cast<Index>(relative_indices.size()), random)) {
          RowStream rows;
          rows.has_delayed_rows = begin == 0;  // the master's rows
          rows.row_begin = begin;
          rows.row_end = end;
          rows.num_delayed = num_delayed;
          const Count length = stream_entries(rows, static_cast<Index>(relative_indices.size()), method);
          const std::vector<S> stream = random_integers<S>(length, random);
          const ChildRows<S> child{rows.has_delayed_rows, begin, end, num_delayed, delayed_begin, relative_indices, stream.data()};
          add_child_rows(method, child, 0, kOrder, FrontTarget<S>(method, reference.front));
          send(method, child, kDelayedIn, layout, length, parts);
        }
        delayed_begin += num_delayed;
      }
      EXPECT_EQ(parts.whole().values, reference.whole.values);
    }
  }
}

// A dense matrix has one front, its root. Delayed pivots, if any, precede the entries.
TYPED_TEST(RootAssemblyTest, EntriesAreTheScaledMatrixBehindDelayedPivots) {
  using S = TypeParam;
  constexpr Index kOrder = 21;
  constexpr Index kDelayed = 3;
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
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
      new_rows.push_back(rows[old]);
      new_cols.push_back(cols[old]);
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
