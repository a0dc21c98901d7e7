// SPDX-License-Identifier: BSD-3-Clause
// The scatter loops of assembly.
#include "factorization/fronts/assemble.hpp"

#include <algorithm>

#include "factorization/kernels/rank_update.hpp"

namespace frond {
namespace {

// The range of rows of the contribution block whose relative indices lie in the positions [begin, end) of the parent.
struct RowRange {
  Index begin;
  Index end;
};

RowRange rows_between(std::span<const Index> relative_indices, Index begin, Index end) {
  const auto first = std::lower_bound(relative_indices.begin(), relative_indices.end(), begin);
  const auto last = std::lower_bound(first, relative_indices.end(), end);
  return {static_cast<Index>(first - relative_indices.begin()), static_cast<Index>(last - relative_indices.begin())};
}

// target[relative[i] + shift] += source[i] for i in [begin, end). Where the indices are consecutive, as within a separator, it is a
// sum of vectors.
template <Scalar S>
void scatter_add(const S* __restrict source, const Index* __restrict relative, Index begin, Index end, Count shift,
                 S* __restrict target) {
  constexpr Index kRun = 8;
  Index i = begin;
  while (i < end) {
    if (i + kRun <= end && relative[i + kRun - 1] - relative[i] == kRun - 1) {
      S* run = target + (relative[i] + shift);
      for (Index k = 0; k < kRun; ++k) {
        run[k] += source[i + k];
      }
      i += kRun;
    } else {
      target[relative[i] + shift] += source[i];
      ++i;
    }
  }
}

// Adds a child's delayed columns, the fully summed rows first: column t of them goes to position delayed_begin + t.
template <Scalar S>
void add_delayed_columns(bool symmetric, const ChildFront<S>& child, Index begin, Index end, NumericFront<S>& parent) {
  const FrontFactor<S>& from = child.front->factor;
  const Index num_delayed = from.num_delayed();
  const Index first = std::max<Index>(begin - child.delayed_begin, 0);
  const Index last = std::min<Index>(end - child.delayed_begin, num_delayed);
  for (Index t = first; t < last; ++t) {
    const S* source = from.lower + from.layout.column_offset(from.num_eliminated + t);
    S* target = parent.factor.lower + parent.factor.layout.column_offset(child.delayed_begin + t);
    for (Index s = symmetric ? t : 0; s < num_delayed; ++s) {
      target[child.delayed_begin + s] += source[from.num_eliminated + s];
    }
    scatter_add(source + from.num_fully_summed, child.relative_indices.data(), 0, from.cb_order(), parent.num_delayed_in, target);
  }
}

// Adds the delayed rows of a child's B, which lie in its `upper`, one contiguous row each: to fully summed columns of the parent,
// and to its `upper`.
template <Scalar S>
void add_delayed_rows(const ChildFront<S>& child, Index begin, Index end, NumericFront<S>& parent) {
  const FrontFactor<S>& from = child.front->factor;
  const FrontFactor<S>& to = parent.factor;
  const Index shift = parent.num_delayed_in;
  const Index* relative = child.relative_indices.data();
  const Index summed = rows_between(child.relative_indices, 0, to.num_fully_summed - shift).end;
  const RowRange own = rows_between(child.relative_indices, begin - shift, std::min(end, to.num_fully_summed) - shift);
  for (Index t = 0; t < from.num_delayed(); ++t) {
    const S* source = from.upper + static_cast<Count>(from.num_eliminated + t) * from.cb_order();
    const Index row = child.delayed_begin + t;
    for (Index j = own.begin; j < own.end; ++j) {
      to.lower[to.layout.column_offset(relative[j] + shift) + row] += source[j];
    }
    if (begin <= row && row < end) {
      scatter_add(source, relative, summed, from.cb_order(), shift - to.num_fully_summed,
                  to.upper + static_cast<Count>(row) * to.cb_order());
    }
  }
}

// Adds the rows of B at fully summed positions in [begin, end) and columns behind the fully summed ones: a transposition, done in
// strips of rows that share cache lines of the child.
template <Scalar S>
void add_rows_to_upper(const ChildFront<S>& child, Index begin, Index end, Index summed, NumericFront<S>& parent) {
  constexpr Index kStrip = 16;
  const FrontFactor<S>& to = parent.factor;
  const Index shift = parent.num_delayed_in;
  const Index* relative = child.relative_indices.data();
  const Index order = child.front->cb_layout.order;
  const RowRange rows = rows_between(child.relative_indices, begin - shift, std::min(end, to.num_fully_summed) - shift);
  for (Index strip = rows.begin; strip < rows.end; strip += kStrip) {
    const Index strip_end = std::min(strip + kStrip, rows.end);
    for (Index j = summed; j < order; ++j) {
      const S* source = child.front->cb + child.front->cb_layout.column_offset(j);
      S* target = to.upper + (relative[j] + shift - to.num_fully_summed);
      for (Index i = strip; i < strip_end; ++i) {
        target[static_cast<Count>(relative[i] + shift) * to.cb_order()] += source[i];
      }
    }
  }
}

// Adds the rows of each column that its front stores: of symmetric fronts those from the diagonal on.
template <Scalar S>
void add_columns(bool symmetric, const ChildFront<S>& child, Index begin, Index end, Index summed, NumericFront<S>& parent) {
  const FrontFactor<S>& to = parent.factor;
  const Index shift = parent.num_delayed_in;
  const Index p = to.num_fully_summed;
  const Index order = child.front->cb_layout.order;
  const Index* relative = child.relative_indices.data();
  const RowRange columns = rows_between(child.relative_indices, begin - shift, end - shift);
  for (Index j = columns.begin; j < columns.end; ++j) {
    const S* source = child.front->cb + child.front->cb_layout.column_offset(j);
    const Index position = relative[j] + shift;
    if (position < p) {
      scatter_add(source, relative, symmetric ? j : 0, order, shift, to.lower + to.layout.column_offset(position));
    } else {
      scatter_add(source, relative, symmetric ? j : summed, order, shift - p,
                  parent.cb + parent.cb_layout.column_offset(position - p));
    }
  }
}

}  // namespace

PanelLayout contribution_layout(Index order, Method method) {
  return {order, order, is_symmetric(method) ? kPanelWidth : std::max<Index>(order, 1)};
}

template <Scalar S>
void extend_add(Method method, const ChildFront<S>& child, Index begin, Index end, NumericFront<S>& parent) {
  if (child.front->factor.num_delayed() > 0) {
    add_delayed_columns(is_symmetric(method), child, begin, end, parent);
    if (method == Method::lu) {
      add_delayed_rows(child, begin, end, parent);
    }
  }
  // Rows of the child that are fully summed in the parent.
  const Index p = parent.factor.num_fully_summed - parent.num_delayed_in;
  const Index summed = is_symmetric(method) ? 0 : rows_between(child.relative_indices, 0, p).end;
  add_columns(is_symmetric(method), child, begin, end, summed, parent);
  if (!is_symmetric(method)) {
    add_rows_to_upper(child, begin, end, summed, parent);
  }
}

template <Scalar S>
void clear_contribution(Index begin, Index end, NumericFront<S>& front) {
  const Index p = front.factor.num_fully_summed;
  for (Index j = std::max(begin, p) - p; j < end - p; ++j) {
    const Index first = front.cb_layout.block_begin(j / front.cb_layout.width);
    std::fill_n(front.cb + front.cb_layout.column_offset(j) + first, front.cb_layout.order - first, S(0));
  }
}

#define FROND_INSTANTIATE(S)                                                                 \
  template void extend_add<S>(Method, const ChildFront<S>&, Index, Index, NumericFront<S>&); \
  template void clear_contribution<S>(Index, Index, NumericFront<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
