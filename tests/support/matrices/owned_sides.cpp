// SPDX-License-Identifier: BSD-3-Clause
// Distributes rows of B and of X over ranks.
#include "tests/support/matrices/owned_sides.hpp"
#include "frond/dense.hpp"

#include <algorithm>

namespace frond::testing {
namespace {

template <Scalar S>
DenseMatrix<S> selected(const DenseMatrix<S>& whole, const std::vector<Index>& rows) {
  DenseMatrix<S> part(static_cast<Index>(rows.size()), whole.num_cols);
  for (Index j = 0; j < part.num_cols; ++j) {
    for (Index k = 0; k < part.num_rows; ++k) {
      part(k, j) = whole(rows[k], j);
    }
  }
  return part;
}

// Draws ranks, `certain` among them.
std::vector<Rank> draw_ranks(Rank num_ranks, Rank certain, std::mt19937& random) {
  std::vector<Rank> ranks = {certain};
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    if (rank != certain && random() % 3 != 0) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

}  // namespace

template <Scalar S>
RankSides<S> OwnedSides<S>::view() {
  const DenseView<S> given = view_of(b);
  return {{b_rows, given}, {x_rows, view_of(x)}, x.num_cols};
}

template <Scalar S>
DenseMatrix<S> OwnedSides<S>::rows_asked_for(const DenseMatrix<S>& whole) const {
  return selected(whole, x_rows);
}

template <Scalar S>
std::vector<OwnedSides<S>> sides_on_rank_0(const DenseMatrix<S>& b, Rank num_ranks, bool all_ask) {
  std::vector<OwnedSides<S>> sides(static_cast<std::size_t>(num_ranks));
  for (OwnedSides<S>& side : sides) {
    const bool is_first = &side == &sides.front();
    side.b_rows = is_first ? all_rows(b.num_rows) : std::vector<Index>();
    side.b = selected(b, side.b_rows);
    side.x_rows = is_first || all_ask ? all_rows(b.num_rows) : std::vector<Index>();
    side.x = DenseMatrix<S>(static_cast<Index>(side.x_rows.size()), b.num_cols);
  }
  return sides;
}

template <Scalar S>
std::vector<OwnedSides<S>> scattered_sides(DenseMatrix<S>& b, Rank num_ranks, std::mt19937& random) {
  std::vector<OwnedSides<S>> sides(static_cast<std::size_t>(num_ranks));
  const auto any_of = [&](const std::vector<Rank>& ranks) -> OwnedSides<S>& { return sides[ranks[random() % ranks.size()]]; };
  const auto certain = static_cast<Rank>(random() % static_cast<unsigned>(num_ranks));
  const std::vector<Rank> givers = draw_ranks(num_ranks, certain, random);
  const std::vector<Rank> askers = draw_ranks(num_ranks, num_ranks - 1 - certain, random);
  DenseMatrix<S> pieces = b;
  for (Index row = 0; row < b.num_rows; ++row) {
    const bool is_given = random() % 5 != 0;
    const bool is_halved = row % 2 == 0;
    for (Index j = 0; j < b.num_cols; ++j) {
      b(row, j) = is_given ? b(row, j) : S(0);
      pieces(row, j) = is_halved ? b(row, j) / RealOf<S>(2) : b(row, j);
    }
    for (int piece = 0; is_given && piece < (is_halved ? 2 : 1); ++piece) {
      any_of(givers).b_rows.push_back(row);
    }
    any_of(askers).x_rows.push_back(row);
    any_of(askers).x_rows.push_back(b.num_rows - 1 - row);
  }
  for (OwnedSides<S>& side : sides) {
    std::shuffle(side.b_rows.begin(), side.b_rows.end(), random);
    side.b = selected(pieces, side.b_rows);
    side.x = DenseMatrix<S>(static_cast<Index>(side.x_rows.size()), b.num_cols);
  }
  return sides;
}

#define FROND_INSTANTIATE(S)                                                              \
  template struct OwnedSides<S>;                                                          \
  template std::vector<OwnedSides<S>> sides_on_rank_0(const DenseMatrix<S>&, Rank, bool); \
  template std::vector<OwnedSides<S>> scattered_sides(DenseMatrix<S>&, Rank, std::mt19937&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::testing
