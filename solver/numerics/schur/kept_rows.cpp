// SPDX-License-Identifier: BSD-3-Clause
// Checks and joins rows.
#include "solver/numerics/schur/kept_rows.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

// [variable] = its place among the kept ones.
std::unordered_map<Index, Index> places_of(std::span<const Index> kept) {
  std::unordered_map<Index, Index> places;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    places.emplace(kept[k], static_cast<Index>(k));
  }
  return places;
}

}  // namespace

void check_kept(std::span<const Index> rows, std::span<const Index> kept) {
  const std::unordered_map<Index, Index> places = places_of(kept);
  for (const Index row : rows) {
    if (!places.contains(row)) {
      throw UsageError(fmt::format("row {} (counted from 0) is none of the Schur complement's {}", row, kept.size()));
    }
  }
}

template <Scalar S>
JoinedRows<S>::JoinedRows(Index order, std::span<const Index> kept, const DenseRows<const S>& b, const DenseRows<const S>& x2) {
  const Index num_columns = b.rows.empty() ? x2.values.cols : b.values.cols;
  if (!x2.rows.empty() && x2.values.cols != num_columns) {
    throw UsageError(fmt::format("there are {} columns of right-hand sides, but {} of the solution of the condensed system",
                                 num_columns, x2.values.cols));
  }
  std::vector<char> is_kept(static_cast<std::size_t>(order), 0);
  for (const Index variable : kept) {
    is_kept[static_cast<std::size_t>(variable)] = 1;
  }
  std::vector<std::pair<const DenseRows<const S>*, Index>> sources;  // and the row's position in it
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    if (is_kept[static_cast<std::size_t>(b.rows[k])] == 0) {
      rows_.push_back(b.rows[k]);
      sources.emplace_back(&b, static_cast<Index>(k));
    }
  }
  for (std::size_t k = 0; k < x2.rows.size(); ++k) {
    rows_.push_back(x2.rows[k]);
    sources.emplace_back(&x2, static_cast<Index>(k));
  }
  values_ = DenseMatrix<S>(static_cast<Index>(rows_.size()), num_columns);
  for (Index j = 0; j < num_columns; ++j) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      values_(static_cast<Index>(k), j) = sources[k].first->values(sources[k].second, j);
    }
  }
}

template <Scalar S>
DenseRows<const S> JoinedRows<S>::view() const {
  return {rows_, view_of(values_)};
}

template <Scalar S>
DenseMatrix<S> all_kept_rows(std::span<const Index> kept, const DenseRows<const S>& rows, Index num_columns) {
  if (!rows.rows.empty() && rows.values.cols != num_columns) {
    throw UsageError(fmt::format("there are {} columns of right-hand sides, but {} of the solution of the condensed system",
                                 num_columns, rows.values.cols));
  }
  const std::unordered_map<Index, Index> places = places_of(kept);
  DenseMatrix<S> all(static_cast<Index>(kept.size()), num_columns);
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    const Index place = places.at(rows.rows[k]);
    for (Index j = 0; j < num_columns; ++j) {
      all(place, j) += rows.values(static_cast<Index>(k), j);
    }
  }
  return all;
}

template <Scalar S>
void copy_kept_rows(std::span<const Index> kept, DenseView<const S> all, const DenseRows<S>& to) {
  const std::unordered_map<Index, Index> places = places_of(kept);
  for (std::size_t k = 0; k < to.rows.size(); ++k) {
    const Index place = places.at(to.rows[k]);
    for (Index j = 0; j < to.values.cols; ++j) {
      to.values(static_cast<Index>(k), j) = all(place, j);
    }
  }
}

#define FROND_INSTANTIATE(S)                                                                       \
  template class JoinedRows<S>;                                                                    \
  template DenseMatrix<S> all_kept_rows(std::span<const Index>, const DenseRows<const S>&, Index); \
  template void copy_kept_rows(std::span<const Index>, DenseView<const S>, const DenseRows<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
