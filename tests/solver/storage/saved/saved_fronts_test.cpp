// SPDX-License-Identifier: BSD-3-Clause
// Tests the pieces of saved fronts entry by entry.
#include "solver/storage/saved/saved_fronts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <tuple>
#include <vector>

#include "factorization/memory/factor_storage.hpp"

namespace frond {
namespace {

// A front of order 300 whose entries are their positions in memory, with 140 fully summed variables, 133 of them eliminated.
template <class S>
struct NumberedFront {
  explicit NumberedFront(Method with) : method(with) {
    front.order = 300;
    front.num_fully_summed = 140;
    front.num_eliminated = with == Method::cholesky ? 140 : 133;
    front.layout = front_layout(300, 140, with);
    lower.resize(static_cast<std::size_t>(front.layout.size()));
    upper.resize(160 * 140);
    for (std::size_t place = 0; place < lower.size(); ++place) {
      lower[place] = S(static_cast<float>(place));
    }
    for (std::size_t place = 0; place < upper.size(); ++place) {
      upper[place] = S(static_cast<float>(place + 100000));
    }
    front.lower = lower.data();
    front.upper = with == Method::lu ? upper.data() : nullptr;
  }

  [[nodiscard]] S lower_entry(Index row, Index column) const { return lower[front.layout.column_offset(column) + row]; }
  [[nodiscard]] S row_entry(Index row, Index column) const {
    return method == Method::lu ? upper[static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * 160]
                                : lower_entry(140 + row, column);
  }

  // Returns the entries that the piece should hold by definition.
  [[nodiscard]] std::vector<S> expected(const FrontPiece& piece) const {
    std::vector<S> entries;
    const Index e = front.num_eliminated;
    for (Index i = piece.begin; i < piece.end; ++i) {
      if (piece.kind == PieceKind::rows) {
        for (Index k = 0; k < e; ++k) {
          entries.push_back(row_entry(i, k));
        }
        continue;
      }
      const Index end = is_symmetric(method) ? 140 : (i < e ? 300 : e);
      for (Index row = is_symmetric(method) ? i : 0; row < end; ++row) {
        entries.push_back(lower_entry(row, i));
      }
    }
    return entries;
  }

  Method method;
  std::vector<S> lower;
  std::vector<S> upper;
  FrontFactor<S> front;
};

template <class S>
class FrontPiecesOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FrontPiecesOf, Scalars);

TYPED_TEST(FrontPiecesOf, AreReadAndWrittenWhereverTheyBegin) {
  using S = TypeParam;
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    const NumberedFront<S> from(method);
    const Index num_columns = method == Method::ldlt ? 133 : 140;
    const SavedFront saved{300, 140, from.front.num_eliminated, 0};
    for (const auto& [kind, begin, end] : std::vector<std::tuple<PieceKind, Index, Index>>{{PieceKind::columns, 0, num_columns},
                                                                                           {PieceKind::columns, 5, 6},
                                                                                           {PieceKind::columns, 100, num_columns},
                                                                                           {PieceKind::rows, 0, 160},
                                                                                           {PieceKind::rows, 3, 4},
                                                                                           {PieceKind::rows, 37, 160}}) {
      SCOPED_TRACE(static_cast<int>(method) * 1000000 + static_cast<int>(kind) * 100000 + begin);
      const FrontPiece piece{0, kind, begin, end};
      const std::vector<S> expected = from.expected(piece);
      ASSERT_EQ(num_entries(piece, saved, method), static_cast<Count>(expected.size()));
      std::vector<S> entries(expected.size());
      copy_piece(from.front, method, piece, entries.data());
      EXPECT_EQ(entries, expected);
      NumberedFront<S> to(method);
      std::fill(to.lower.begin(), to.lower.end(), S(-1));
      std::fill(to.upper.begin(), to.upper.end(), S(-1));
      copy_piece(to.front, method, piece, expected.data());
      EXPECT_EQ(to.expected(piece), expected);
      const auto num_written = static_cast<Count>(to.lower.size() + to.upper.size()) -
                               std::count(to.lower.begin(), to.lower.end(), S(-1)) -
                               std::count(to.upper.begin(), to.upper.end(), S(-1));
      EXPECT_EQ(num_written, static_cast<Count>(expected.size())) << "and nothing else";
    }
  }
}

TYPED_TEST(FrontPiecesOf, AreTheSameFromASlave) {
  using S = TypeParam;
  const NumberedFront<S> front(Method::lu);
  std::vector<S> upper = front.upper;
  const RowFactor<S> slave{30, 133, {upper.data() + 30, 50, 140, 160}};  // rows 30 to 79
  const FrontPiece piece{0, PieceKind::rows, 41, 80};
  const std::vector<S> expected = front.expected(piece);
  std::vector<S> entries(expected.size());
  copy_piece(slave, piece, entries.data());
  EXPECT_EQ(entries, expected);
  std::fill(upper.begin(), upper.end(), S(0));
  copy_piece(slave, piece, expected.data());
  std::fill(entries.begin(), entries.end(), S(0));
  copy_piece(slave, piece, entries.data());
  EXPECT_EQ(entries, expected);
}

TEST(PieceSequence, CoversAllEntriesOnce) {
  const std::vector<SavedFront> fronts = {{5, 3, 2, 0},        {400000, 2, 2, 0}, {4, 4, 0, 0},
                                          {2000, 700, 650, 0}, {0, 0, 0, 0},      {1, 1, 1, 0}};
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    Count expected = 0;
    for (const SavedFront& front : fronts) {
      const Count m = front.order;
      const Count p = front.num_fully_summed;
      const Count e = front.num_eliminated;
      expected += (m - p) * e + (is_symmetric(method) ? e * p - e * (e - 1) / 2 : m * e + (p - e) * e);
    }
    PieceSequence sequence(fronts, method);
    Count found = 0;
    FrontPiece last;
    for (auto batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
      const Count entries = num_entries(batch, fronts, method);
      EXPECT_TRUE(entries <= PieceSequence::kBatchEntries || (batch.size() == 1 && batch[0].end == batch[0].begin + 1));
      found += entries;
      for (const FrontPiece& piece : batch) {
        const bool goes_on = piece.node == last.node && piece.kind == last.kind;
        EXPECT_EQ(piece.begin, goes_on ? last.end : 0);
        EXPECT_GT(piece.end, piece.begin);
        last = piece;
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(count_entries(fronts, method).all, expected);
  }
}

}  // namespace
}  // namespace frond
