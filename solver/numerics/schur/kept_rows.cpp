// SPDX-License-Identifier: BSD-3-Clause
// Checks and joins rows.
#include "solver/numerics/schur/kept_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

// [variable] = whether it is one of the kept ones.
std::vector<char> marks_of(Index order, std::span<const Index> kept) {
  std::vector<char> is_kept(static_cast<std::size_t>(order), 0);
  for (const Index variable : kept) {
    is_kept[variable] = 1;
  }
  return is_kept;
}

}  // namespace

void check_kept(Index order, std::span<const Index> rows, std::span<const Index> kept) {
  const std::vector<char> is_kept = marks_of(order, kept);
  for (const Index row : rows) {
    if (is_kept[row] == 0) {
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
  const std::vector<char> is_kept = marks_of(order, kept);
  std::vector<std::pair<const DenseRows<const S>*, Index>> sources;  // and the row's position in it
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    if (is_kept[b.rows[k]] == 0) {
      sources.emplace_back(&b, static_cast<Index>(k));
    }
  }
  for (std::size_t k = 0; k < x2.rows.size(); ++k) {
    sources.emplace_back(&x2, static_cast<Index>(k));
  }
  const auto row_of = [](const auto& source) { return source.first->rows[source.second]; };
  std::ranges::stable_sort(sources, {}, row_of);
  std::transform(sources.begin(), sources.end(), std::back_inserter(rows_), row_of);
  values_ = DenseMatrix<S>(static_cast<Index>(rows_.size()), num_columns);
  for (Index j = 0; j < num_columns; ++j) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      values_(static_cast<Index>(k), j) = sources[k].first->values(sources[k].second, j);
    }
  }
}

FROND_INSTANTIATE_CLASS(JoinedRows)

}  // namespace frond
