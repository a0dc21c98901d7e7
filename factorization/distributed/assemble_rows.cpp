// SPDX-License-Identifier: BSD-3-Clause
// The scatter loops for streams.
#include "factorization/distributed/assemble_rows.hpp"

#include <algorithm>
#include <limits>

namespace frond {
namespace {

// Visits the lines of a stream, which are contiguous, and finds the entries of each that a piece of the stream holds.
template <Scalar S>
class PieceOfLines {
 public:
  PieceOfLines(Count begin, Count end, const S* piece) : begin_(begin), end_(end), piece_(piece) {}

  // Calls add(first, last, values) for the entries [first, last) of the next line, unless there are none.
  template <class Add>
  void line(Index length, Add add) {
    const Count first = std::clamp<Count>(begin_ - line_begin_, 0, length);
    const Count last = std::clamp<Count>(end_ - line_begin_, 0, length);
    if (first < last) {
      add(static_cast<Index>(first), static_cast<Index>(last), piece_ + (line_begin_ + first - begin_));
    }
    line_begin_ += length;
  }

 private:
  Count begin_;
  Count end_;
  const S* piece_;
  Count line_begin_ = 0;
};

// Positions of the parent into which entries go.
struct Wanted {
  Index begin;
  Index end;
  [[nodiscard]] bool contains(Index position) const { return begin <= position && position < end; }
};

// Adds columns of the front below its diagonal.
template <Scalar S>
void add_symmetric(const ChildRows<S>& child, PieceOfLines<S> lines, Wanted wanted, const FrontTarget<S>& parent) {
  const Index shift = parent.num_delayed_in();
  for (Index t = 0; t < child.num_delayed && child.has_delayed_rows; ++t) {
    const Index position = child.delayed_begin + t;
    lines.line(child.num_delayed - t, [&](Index first, Index last, const S* values) {
      S* target = wanted.contains(position) ? parent.column(position) + position : nullptr;
      for (Index i = first; i < last && target != nullptr; ++i) {
        target[i] += values[i - first];
      }
    });
  }
  const auto add_column = [&](Index position, Index first_row) {
    lines.line(child.row_end - first_row, [&](Index first, Index last, const S* values) {
      S* target = wanted.contains(position) ? parent.column(position) + shift : nullptr;
      for (Index i = first; i < last && target != nullptr; ++i) {
        target[child.relative_indices[first_row + i]] += values[i - first];
      }
    });
  };
  for (Index t = 0; t < child.num_delayed; ++t) {
    add_column(child.delayed_begin + t, child.row_begin);
  }
  for (Index j = 0; j < child.row_end; ++j) {
    add_column(child.relative_indices[j] + shift, std::max(child.row_begin, j));
  }
}

// Adds rows of delayed variables, their columns, and then the other rows.
template <Scalar S>
class UnsymmetricRows {
 public:
  UnsymmetricRows(const ChildRows<S>& child, PieceOfLines<S> lines, Wanted wanted, const FrontTarget<S>& parent)
      : child_(child), lines_(lines), wanted_(wanted), parent_(parent) {}

  void add() {
    const auto cb_order = static_cast<Index>(child_.relative_indices.size());
    for (Index s = 0; s < child_.num_delayed && child_.has_delayed_rows; ++s) {
      lines_.line(child_.num_delayed + cb_order, [&](Index first, Index last, const S* values) {
        add_delayed_row(child_.delayed_begin + s, first, last, values);
      });
    }
    for (Index t = 0; t < child_.num_delayed; ++t) {
      lines_.line(child_.row_end - child_.row_begin, [&](Index first, Index last, const S* values) {
        add_delayed_column(child_.delayed_begin + t, first, last, values);
      });
    }
    for (Index i = child_.row_begin; i < child_.row_end; ++i) {
      lines_.line(cb_order, [&](Index first, Index last, const S* values) { add_row(position(i), first, last, values); });
    }
  }

 private:
  [[nodiscard]] Index position(Index j) const { return child_.relative_indices[j] + parent_.num_delayed_in(); }

  void add_delayed_row(Index row, Index first, Index last, const S* values) const {
    S* target = wanted_.contains(row) ? parent_.summed_row(row) : nullptr;
    for (Index k = first; k < last && target != nullptr; ++k) {
      target[k < child_.num_delayed ? child_.delayed_begin + k : position(k - child_.num_delayed)] += values[k - first];
    }
  }
  void add_delayed_column(Index column, Index first, Index last, const S* values) const {
    for (Index i = first; i < last; ++i) {
      const Index row = position(child_.row_begin + i);
      if (row >= parent_.num_fully_summed() && wanted_.contains(column)) {
        parent_.summed_column(column)[row] += values[i - first];
      } else if (row < parent_.num_fully_summed() && wanted_.contains(row)) {
        parent_.summed_row(row)[column] += values[i - first];
      }
    }
  }
  void add_row(Index row, Index first, Index last, const S* values) const {
    const bool is_summed = row < parent_.num_fully_summed();
    Index j = first;
    for (; !is_summed && j < last && position(j) < parent_.num_fully_summed(); ++j) {
      if (wanted_.contains(position(j))) {
        parent_.summed_column(position(j))[row] += values[j - first];
      }
    }
    S* target = !wanted_.contains(row) ? nullptr : is_summed ? parent_.summed_row(row) : parent_.contribution_row(row);
    for (; j < last && target != nullptr; ++j) {
      target[position(j)] += values[j - first];
    }
  }

  const ChildRows<S>& child_;
  PieceOfLines<S> lines_;
  Wanted wanted_;
  const FrontTarget<S>& parent_;
};

template <Scalar S>
void add_rows(Method method, const ChildRows<S>& child, PieceOfLines<S> lines, Wanted wanted, const FrontTarget<S>& parent) {
  if (is_symmetric(method)) {
    add_symmetric(child, lines, wanted, parent);
  } else {
    UnsymmetricRows<S>(child, lines, wanted, parent).add();
  }
}

}  // namespace

template <Scalar S>
void add_child_rows(Method method, const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent) {
  add_rows(method, child, PieceOfLines<S>(0, std::numeric_limits<Count>::max(), child.entries), {begin, end}, parent);
}

template <Scalar S>
void add_piece_of_rows(Method method, const ChildRows<S>& child, Count begin, Count end, const S* piece,
                       const FrontTarget<S>& parent) {
  add_rows(method, child, PieceOfLines<S>(begin, end, piece), {0, std::numeric_limits<Index>::max()}, parent);
}

#define FROND_INSTANTIATE(S)                                                                      \
  template void add_child_rows(Method, const ChildRows<S>&, Index, Index, const FrontTarget<S>&); \
  template void add_piece_of_rows(Method, const ChildRows<S>&, Count, Count, const S*, const FrontTarget<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
