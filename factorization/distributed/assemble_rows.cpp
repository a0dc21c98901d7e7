// SPDX-License-Identifier: BSD-3-Clause
// The scatter loops for streams.
#include "factorization/distributed/assemble_rows.hpp"

#include <algorithm>

namespace frond {

namespace {

// Adds the entries of a stream, taken in order.
template <Scalar S>
void add_symmetric(const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent) {
  const Index shift = parent.num_delayed_in();
  const S* source = child.entries;
  for (Index t = 0; t < child.num_delayed && child.has_delayed_rows; ++t) {
    const Index position = child.delayed_begin + t;
    if (begin <= position && position < end) {
      S* target = parent.column(position) + child.delayed_begin;
      for (Index s = t; s < child.num_delayed; ++s) {
        target[s] += source[s - t];
      }
    }
    source += child.num_delayed - t;
  }
  const auto add_column = [&](Index position, Index first) {
    if (begin <= position && position < end) {
      S* target = parent.column(position) + shift;
      for (Index i = first; i < child.row_end; ++i) {
        target[child.relative_indices[static_cast<std::size_t>(i)]] += source[i - first];
      }
    }
    source += child.row_end - first;
  };
  for (Index t = 0; t < child.num_delayed; ++t) {
    add_column(child.delayed_begin + t, child.row_begin);
  }
  for (Index j = 0; j < child.row_end; ++j) {
    add_column(child.relative_indices[static_cast<std::size_t>(j)] + shift, std::max(child.row_begin, j));
  }
}

template <Scalar S>
class UnsymmetricRows {
 public:
  UnsymmetricRows(const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent)
      : child_(child), parent_(parent), begin_(begin), end_(end) {}

  void add() {
    const Index p = parent_.num_fully_summed();
    const auto cb_order = static_cast<Index>(child_.relative_indices.size());
    const S* source = child_.entries;
    for (Index s = 0; s < child_.num_delayed && child_.has_delayed_rows; ++s) {
      if (is_wanted(child_.delayed_begin + s)) {
        S* target = parent_.summed_row(child_.delayed_begin + s);
        add_delayed(source, 1, target);
        add_contribution(source + child_.num_delayed, 0, target);
      }
      source += child_.num_delayed + cb_order;
    }
    const Index num_rows = child_.row_end - child_.row_begin;
    const S* rows = source + static_cast<Count>(num_rows) * child_.num_delayed;
    for (Index i = 0; i < num_rows; ++i, rows += cb_order) {
      const Index row = position(child_.row_begin + i);
      if (row >= p) {
        add_behind(source + i, num_rows, rows, row);
      } else if (is_wanted(row)) {
        add_delayed(source + i, num_rows, parent_.summed_row(row));
        add_contribution(rows, 0, parent_.summed_row(row));
      }
    }
  }

 private:
  [[nodiscard]] bool is_wanted(Index position) const { return begin_ <= position && position < end_; }
  [[nodiscard]] Index position(Index j) const {
    return child_.relative_indices[static_cast<std::size_t>(j)] + parent_.num_delayed_in();
  }
  void add_delayed(const S* source, Index stride, S* target) const {
    for (Index t = 0; t < child_.num_delayed; ++t) {
      target[child_.delayed_begin + t] += source[static_cast<Count>(t) * stride];
    }
  }
  void add_contribution(const S* source, Index first, S* target) const {
    const auto cb_order = static_cast<Index>(child_.relative_indices.size());
    for (Index j = first; j < cb_order; ++j) {
      target[position(j)] += source[j];
    }
  }
  // Adds a row behind the fully summed ones.
  void add_behind(const S* delayed, Index stride, const S* contribution, Index row) const {
    const auto add_entry = [&](Index column, S value) {
      if (is_wanted(column)) {
        parent_.summed_column(column)[row] += value;
      }
    };
    for (Index t = 0; t < child_.num_delayed; ++t) {
      add_entry(child_.delayed_begin + t, delayed[static_cast<Count>(t) * stride]);
    }
    Index j = 0;
    for (; position(j) < parent_.num_fully_summed(); ++j) {  // ends at the column of the row itself at the latest
      add_entry(position(j), contribution[j]);
    }
    if (is_wanted(row)) {
      add_contribution(contribution, j, parent_.contribution_row(row));
    }
  }

  const ChildRows<S>& child_;
  const FrontTarget<S>& parent_;
  Index begin_;
  Index end_;
};

// Visits the lines of a stream, which are contiguous, and finds the entries of each that a piece holds.
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

// Adds columns of the front below its diagonal.
template <Scalar S>
void add_symmetric_piece(const ChildRows<S>& child, PieceOfLines<S> lines, const FrontTarget<S>& parent) {
  const Index shift = parent.num_delayed_in();
  const auto add_column = [&](Index position, Index first_row) {
    lines.line(child.row_end - first_row, [&](Index first, Index last, const S* values) {
      S* target = parent.column(position) + shift;
      for (Index i = first; i < last; ++i) {
        const Index row = first_row + i;
        target[child.relative_indices[static_cast<std::size_t>(row)]] += values[i - first];
      }
    });
  };
  for (Index t = 0; t < child.num_delayed; ++t) {
    add_column(child.delayed_begin + t, child.row_begin);
  }
  for (Index j = 0; j < child.row_end; ++j) {
    add_column(child.relative_indices[static_cast<std::size_t>(j)] + shift, std::max(child.row_begin, j));
  }
}

// Adds columns of delayed variables, then rows.
template <Scalar S>
void add_unsymmetric_piece(const ChildRows<S>& child, PieceOfLines<S> lines, const FrontTarget<S>& parent) {
  const Index shift = parent.num_delayed_in();
  const Index p = parent.num_fully_summed();
  const auto position = [&](Index j) { return child.relative_indices[static_cast<std::size_t>(j)] + shift; };
  for (Index t = 0; t < child.num_delayed; ++t) {
    S* target = parent.summed_column(child.delayed_begin + t);
    lines.line(child.row_end - child.row_begin, [&](Index first, Index last, const S* values) {
      for (Index i = first; i < last; ++i) {
        target[position(child.row_begin + i)] += values[i - first];
      }
    });
  }
  for (Index row = child.row_begin; row < child.row_end; ++row) {
    lines.line(static_cast<Index>(child.relative_indices.size()), [&](Index first, Index last, const S* values) {
      Index j = first;
      for (; j < last && position(j) < p; ++j) {
        parent.summed_column(position(j))[position(row)] += values[j - first];
      }
      S* target = parent.contribution_row(position(row));
      for (; j < last; ++j) {
        target[position(j)] += values[j - first];
      }
    });
  }
}

}  // namespace

template <Scalar S>
void add_child_rows(Method method, const ChildRows<S>& child, Index begin, Index end, const FrontTarget<S>& parent) {
  if (is_symmetric(method)) {
    add_symmetric(child, begin, end, parent);
  } else {
    UnsymmetricRows<S>(child, begin, end, parent).add();
  }
}

template <Scalar S>
void add_piece_of_rows(Method method, const ChildRows<S>& child, Count begin, Count end, const S* piece,
                       const FrontTarget<S>& parent) {
  const PieceOfLines<S> lines(begin, end, piece);
  is_symmetric(method) ? add_symmetric_piece(child, lines, parent) : add_unsymmetric_piece(child, lines, parent);
}

#define FROND_INSTANTIATE(S)                                                                      \
  template void add_child_rows(Method, const ChildRows<S>&, Index, Index, const FrontTarget<S>&); \
  template void add_piece_of_rows(Method, const ChildRows<S>&, Count, Count, const S*, const FrontTarget<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
