// SPDX-License-Identifier: BSD-3-Clause
// Scatters, gathers and checks rows.
#include "solver/numerics/problem/dense_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

// `name` is B or X.
void check_numbers(Index order, const char* name, std::span<const Index> rows, Index num_rows, Index ld) {
  if (rows.size() != static_cast<std::size_t>(num_rows) || ld < num_rows) {
    throw UsageError(
        fmt::format("{} rows of {} do not fit a block of {} rows with leading dimension {}: a block needs as many rows, "
                    "and at least that leading dimension",
                    rows.size(), name, num_rows, ld));
  }
  for (const Index row : rows) {
    if (row < 0 || row >= order) {
      throw UsageError(fmt::format("there is no row {} of {} (counted from 0): the matrix has order {}", row, name, order));
    }
  }
}

// Whether these are all rows, in their order.
bool are_all_rows(Index order, std::span<const Index> rows) {
  Index next = 0;
  return rows.size() == static_cast<std::size_t>(order) &&
         std::all_of(rows.begin(), rows.end(), [&](Index row) { return row == next++; });
}

}  // namespace

std::vector<Index> all_rows(Index order) {
  std::vector<Index> rows(static_cast<std::size_t>(order));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

template <class S>
void add_rows(const DenseRows<const S>& from, DenseView<S> to) {
  const auto num_rows = static_cast<Index>(from.rows.size());
  for (Index j = 0; j < from.values.cols; ++j) {
    for (Index k = 0; k < num_rows; ++k) {
      to(from.rows[k], j) += from.values(k, j);
    }
  }
}

template <class S>
void copy_rows(DenseView<const S> from, const DenseRows<S>& to) {
  const auto num_rows = static_cast<Index>(to.rows.size());
  for (Index j = 0; j < to.values.cols; ++j) {
    for (Index k = 0; k < num_rows; ++k) {
      to.values(k, j) = from(to.rows[k], j);
    }
  }
}

template <class S>
void check_finite(const DenseRows<const S>& b) {
  const auto num_rows = static_cast<Index>(b.rows.size());
  for (Index j = 0; j < b.values.cols; ++j) {
    for (Index k = 0; k < num_rows; ++k) {
      if (!is_finite(b.values(k, j))) {
        throw UsageError(fmt::format("row {} of column {} of B (counted from 0) is NaN or infinite; no system can be solved for it",
                                     b.rows[k], j));
      }
    }
  }
}

template <class S>
void check_rows(Index order, const DenseRows<const S>& b, const DenseRows<S>& x) {
  check_numbers(order, "B", b.rows, b.values.rows, b.values.ld);
  check_numbers(order, "X", x.rows, x.values.rows, x.values.ld);
  check_finite(b);
}

template <class S>
Index common_columns(const DenseRows<const S>& b, const DenseRows<S>& x) {
  const bool has_b = b.values.rows > 0 || b.values.cols > 0;
  const bool has_x = x.values.rows > 0 || x.values.cols > 0;
  if (has_b && has_x && b.values.cols != x.values.cols) {
    throw UsageError(fmt::format("B has {} columns, but X has {}", b.values.cols, x.values.cols));
  }
  return has_b ? b.values.cols : x.values.cols;
}

template <class S>
static Index checked_columns(Index order, const DenseRows<const S>& b, const DenseRows<S>& x) {
  check_rows(order, b, x);
  return common_columns(b, x);
}

template <class S>
WholeRows<S>::WholeRows(Index order, const DenseRows<const S>& given, Index num_columns) : view_(given.values) {
  if (!are_all_rows(order, given.rows)) {
    own_ = DenseMatrix<S>(order, num_columns);
    add_rows(given, view_of(own_));
    view_ = view_of(std::as_const(own_));
  }
  view_.cols = num_columns;  // even if nothing is viewed
}

template <class S>
WholeSides<S>::WholeSides(Index order, const DenseRows<const S>& b, const DenseRows<S>& x)
    : b_(order, b, checked_columns(order, b, x)), asked_(x), x_(x.values) {
  if (!are_all_rows(order, x.rows)) {
    own_x_ = DenseMatrix<S>(order, b_.view().cols);
    x_ = view_of(own_x_);
  }
  x_.cols = b_.view().cols;
}

template <class S>
void WholeSides<S>::give() const {
  if (x_.data != asked_.values.data) {
    copy_rows<S>(x_, asked_);
  }
}

#define FROND_INSTANTIATE(S)                                                       \
  template void add_rows(const DenseRows<const S>&, DenseView<S>);                 \
  template void copy_rows(DenseView<const S>, const DenseRows<S>&);                \
  template void check_finite(const DenseRows<const S>&);                           \
  template void check_rows(Index, const DenseRows<const S>&, const DenseRows<S>&); \
  template Index common_columns(const DenseRows<const S>&, const DenseRows<S>&);   \
  template class WholeRows<S>;                                                     \
  template class WholeSides<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
