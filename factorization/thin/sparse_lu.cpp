// SPDX-License-Identifier: BSD-3-Clause
// Factorizes compressed columns from left to right: with searches for pivots and patterns, and again along what these found.
#include "factorization/thin/sparse_lu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "factorization/kernels/magnitude.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

constexpr Index kNoPivot = -1;
constexpr Index kColumnsBetweenStops = 256;

template <class T>
std::size_t bytes_of(const std::vector<T>& array) {
  return array.capacity() * sizeof(T);
}

template <Scalar S>
std::size_t bytes_of(const SparseColumns<S>& columns) {
  return bytes_of(columns.offsets) + bytes_of(columns.rows) + bytes_of(columns.values);
}

}  // namespace

// Finds pivots and the patterns of L and U. Until the end rows are those of B.
template <Scalar S>
class SparseLu<S>::Search {
 public:
  Search(SparseLu& factors, const SparsePattern& pattern, const SparseValues<S>& matrix, const SparseLuOptions<S>& options)
      : factors_(factors),
        pattern_(pattern),
        matrix_(matrix),
        options_(options),
        pivot_of_row_(static_cast<std::size_t>(pattern.num_columns()), kNoPivot),
        last_column_(pivot_of_row_.size(), kNoPivot),
        order_(pivot_of_row_.size()),
        path_(order_.size()),
        next_(order_.size()),
        search_end_(order_.size()) {}

  bool run() {
    for (std::size_t block = 0; block + 1 < factors_.blocks_.size(); ++block) {
      first_row_ = factors_.blocks_[block];
      const Index end = factors_.blocks_[block + 1];
      for (Index col = first_row_; col < end; ++col) {
        if (col % kColumnsBetweenStops == 0) {
          stop_if(options_.observer);
        }
        const bool has_pivot = end - first_row_ == 1 ? take_single(col) : take_column(col);
        if (!has_pivot || fill() > options_.most_entries || num_multiplications_ > options_.most_multiplications) {
          return false;
        }
      }
    }
    factors_.lower_.end(num_lower_);
    factors_.upper_.end(num_upper_);
    number_rows_by_pivots();
    return true;
  }

 private:
  [[nodiscard]] std::size_t fill() const { return num_lower_ + num_upper_; }

  // Takes the only column of a block, in which there is its pivot at most.
  bool take_single(Index col) {
    load(col, [](Index /*row*/) {});
    factors_.lower_.offsets[col + 1] = static_cast<Index>(num_lower_);
    factors_.upper_.offsets[col + 1] = static_cast<Index>(num_upper_);
    const S pivot = std::exchange(factors_.column_[col], S(0));
    const S inverse = S(1) / pivot;
    factors_.take_single_pivot(col, pivot, inverse);
    number_row(col, col);
    return is_usable_inverse(inverse);
  }

  // Computes the rows of column `col` that belong to U, and leaves the others, which rest_ lists, in column_.
  void eliminate(Index col) {
    rest_.clear();
    first_ = pattern_.num_columns();
    load(col, [&](Index row) { reach(row, col); });
    const SparseColumns<S>& lower = factors_.lower_;
    S* column = factors_.column_.data();
    factors_.upper_.make_room(num_upper_, static_cast<std::size_t>(pattern_.num_columns() - first_));
    for (Index k = first_; k < pattern_.num_columns(); ++k) {
      const Index pivot = order_[k];
      const S u = std::exchange(column[factors_.row_order_[pivot]], S(0));
      factors_.upper_.rows[num_upper_] = pivot;
      factors_.upper_.values[num_upper_++] = u;
      here_.take_upper(u);
      const Index begin = lower.offsets[pivot];
      const Index end = lower.offsets[pivot + 1];
      for (Index entry = begin; entry < end; ++entry) {
        column[lower.rows[entry]] -= lower.values[entry] * u;
      }
      num_multiplications_ += end - begin;
    }
    factors_.upper_.offsets[col + 1] = static_cast<Index>(num_upper_);
  }

  // Scatters the entries of B, and calls visit(row) for those within the block.
  template <class Visit>
  void load(Index col, const Visit& visit) {
    SparseColumns<S>& couplings = factors_.couplings_;
    here_ = {};
    for (Index entry = pattern_.offsets[col]; entry < pattern_.offsets[col + 1]; ++entry) {
      const Index row = pattern_.rows[entry];
      const Index source = pattern_.sources[entry];
      const S value = matrix_.scaled(source, row);
      if (row < first_row_) {
        couplings.rows[num_couplings_] = row;
        couplings.values[num_couplings_] = value;
        factors_.coupling_sources_[num_couplings_++] = source;
      } else {
        factors_.entries_.rows[num_entries_] = row;
        factors_.entries_.sources[num_entries_++] = source;
        factors_.column_[row] = value;
        here_.take_entry(value);
        visit(row);
      }
    }
    couplings.offsets[col + 1] = static_cast<Index>(num_couplings_);
    factors_.entries_.offsets[col + 1] = num_entries_;
  }

  // Lists the pivots that change the column in order_[first_ ..], each behind those that change its own column.
  void reach(Index row, Index col) {
    if (std::exchange(last_column_[row], col) == col) {
      return;
    }
    if (const Index pivot = pivot_of_row_[row]; pivot == kNoPivot) {
      rest_.push_back(row);
    } else {
      search_from(pivot, col);
    }
  }

  // Searches in depth, with a stack of its own.
  void search_from(Index pivot, Index col) {
    const SparseColumns<S>& lower = factors_.lower_;
    Index depth = 0;
    path_[0] = pivot;
    next_[0] = lower.offsets[pivot];
    while (depth >= 0) {
      const Index step = path_[depth];
      Index deeper = kNoPivot;
      Index& next = next_[depth];
      while (deeper == kNoPivot && next < search_end_[step]) {
        const Index row = lower.rows[next++];
        if (std::exchange(last_column_[row], col) != col) {
          deeper = pivot_of_row_[row];
          if (deeper == kNoPivot) {
            rest_.push_back(row);
          }
        }
      }
      if (deeper == kNoPivot) {
        order_[--first_] = step;
        --depth;
      } else {
        path_[++depth] = deeper;
        next_[depth] = lower.offsets[deeper];
      }
    }
  }

  bool take_column(Index col) {
    eliminate(col);
    const S* column = factors_.column_.data();
    R largest = 0;
    Index row = kNoPivot;
    for (const Index other : rest_) {
      if (const R size = magnitude_bound(column[other]); size > largest) {
        largest = size;
        row = other;
      }
    }
    const auto size_in = [&](Index candidate) {
      return last_column_[candidate] == col && pivot_of_row_[candidate] == kNoPivot ? magnitude_bound(column[candidate]) : R(-1);
    };
    const Index other = options_.other_rows.empty() ? col : options_.other_rows[col];
    const Index wanted = size_in(other) > size_in(col) ? other : col;
    if (size_in(wanted) >= options_.threshold * largest) {
      row = wanted;
    } else if (!options_.other_rows.empty()) {
      row = kNoPivot;
    }
    return row != kNoPivot && close_column(col, row);
  }

  bool close_column(Index col, Index pivot_row) {
    SparseColumns<S>& lower = factors_.lower_;
    S* column = factors_.column_.data();
    const S pivot = std::exchange(column[pivot_row], S(0));
    const S inverse = S(1) / pivot;
    bool is_number = true;
    lower.make_room(num_lower_, rest_.size() - 1);
    for (const Index row : rest_) {
      if (row != pivot_row) {
        const S value = std::exchange(column[row], S(0)) * inverse;
        is_number = is_number && value == value;
        lower.rows[num_lower_] = row;
        lower.values[num_lower_++] = value;
      }
    }
    search_end_[col] = lower.offsets[col + 1] = static_cast<Index>(num_lower_);
    is_number = take(col, pivot_row, pivot, inverse) && is_number;
    prune(pivot_row);
    return is_number;
  }

  bool take(Index col, Index pivot_row, S pivot, S inverse) {
    factors_.take_pivot(col, pivot, inverse, here_);
    number_row(col, pivot_row);
    return is_usable_inverse(inverse);
  }

  void number_row(Index col, Index pivot_row) {
    factors_.row_order_[col] = pivot_row;
    pivot_of_row_[pivot_row] = col;
  }

  // If a column of L changed the new pivot's and has its row, all its rows without pivots are rows of the new one, too: from now on
  // it is searched along its rows with pivots only.
  void prune(Index pivot_row) {
    SparseColumns<S>& lower = factors_.lower_;
    for (Index k = first_; k < pattern_.num_columns(); ++k) {
      const Index begin = lower.offsets[order_[k]];
      const Index end = lower.offsets[order_[k] + 1];
      Index& search_end = search_end_[order_[k]];
      const Index* rows = lower.rows.data();
      if (search_end < end || std::find(rows + begin, rows + end, pivot_row) == rows + end) {
        continue;
      }
      search_end = begin;
      for (Index entry = begin; entry < end; ++entry) {
        if (pivot_of_row_[rows[entry]] != kNoPivot) {
          std::swap(lower.rows[entry], lower.rows[search_end]);
          std::swap(lower.values[entry], lower.values[search_end]);
          ++search_end;
        }
      }
    }
  }

  void number_rows_by_pivots() {
    for (std::vector<Index>* rows : {&factors_.lower_.rows, &factors_.couplings_.rows, &factors_.entries_.rows}) {
      for (Index& row : *rows) {
        row = pivot_of_row_[row];
      }
    }
  }

  SparseLu& factors_;
  const SparsePattern& pattern_;
  const SparseValues<S>& matrix_;
  const SparseLuOptions<S>& options_;
  PivotExtremes<S> here_;            // of the column
  Index first_row_ = 0;              // of the diagonal block
  Index num_entries_ = 0;            // of B within diagonal blocks, so far
  std::size_t num_couplings_ = 0;    // likewise
  std::size_t num_lower_ = 0;        // entries of L, so far
  std::size_t num_upper_ = 0;        // of U
  double num_multiplications_ = 0;   // of updates, so far
  std::vector<Index> pivot_of_row_;  // kNoPivot until it has one
  std::vector<Index> last_column_;   // [row] = the last column that it was found in
  std::vector<Index> order_;         // from first_ on the pivots that change the column
  Index first_ = 0;
  std::vector<Index> rest_;        // rows of the column without pivots
  std::vector<Index> path_;        // of a search, from its first pivot
  std::vector<Index> next_;        // [depth] = entry of L to look at next
  std::vector<Index> search_end_;  // [pivot] = end of the entries of its column of L that are searched
};

template <Scalar S>
std::optional<SparseLu<S>> SparseLu<S>::factorize(const SparsePattern& pattern, std::span<const Index> blocks,
                                                  const SparseValues<S>& matrix, const SparseLuOptions<S>& options) {
  std::optional<SparseLu> factors(std::in_place);
  const auto order = static_cast<std::size_t>(pattern.num_columns());
  factors->blocks_.assign(blocks.begin(), blocks.end());
  factors->column_.resize(order);
  factors->lower_.begin(pattern.num_columns(), options.expected_entries);
  factors->upper_.begin(pattern.num_columns(), options.expected_entries);
  factors->couplings_.begin(pattern.num_columns(), options.num_couplings);
  factors->coupling_sources_.resize(options.num_couplings);
  factors->entries_.offsets.resize(order + 1);
  factors->entries_.rows.resize(pattern.rows.size() - options.num_couplings);
  factors->entries_.sources.resize(pattern.rows.size() - options.num_couplings);
  factors->pivots_.resize(order);
  factors->inverse_pivots_.resize(order);
  factors->row_order_.resize(order);
  if (!Search(*factors, pattern, matrix, options).run()) {
    factors.reset();
  }
  return factors;
}

template <Scalar S>
bool SparseLu<S>::refactorize(const SparseValues<S>& matrix, R threshold) {
  S* column = column_.data();
  const Index* rows = lower_.rows.data();
  const S* l = lower_.values.data();
  extremes_ = {};
  for (Index col = 0; col < order(); ++col) {
    PivotExtremes<S> here;
    for (Index entry = entries_.offsets[col], end = entries_.offsets[col + 1]; entry < end; ++entry) {
      const Index row = entries_.rows[entry];
      here.take_entry(column[row] = matrix.scaled(entries_.sources[entry], row));
    }
    for (Index k = upper_.offsets[col], end_of_upper = upper_.offsets[col + 1]; k < end_of_upper; ++k) {
      const Index pivot = upper_.rows[k];
      const S u = std::exchange(column[pivot], S(0));
      upper_.values[k] = u;
      here.take_upper(u);
      for (Index entry = lower_.offsets[pivot], end = lower_.offsets[pivot + 1]; entry < end; ++entry) {
        column[rows[entry]] -= l[entry] * u;
      }
    }
    if (!close_column(col, threshold, here)) {
      std::fill(column_.begin(), column_.end(), S(0));
      return false;
    }
  }
  for (std::size_t k = 0; k < coupling_sources_.size(); ++k) {
    couplings_.values[k] = matrix.scaled(coupling_sources_[k], couplings_.rows[k]);
  }
  return true;
}

template <Scalar S>
inline void SparseLu<S>::take_pivot(Index col, S pivot, S inverse, PivotExtremes<S>& here) {
  pivots_[col] = pivot;
  inverse_pivots_[col] = inverse;
  here.take_pivot(col, pivot);
  extremes_.take_column(here);
}

// As the one before, for a column whose only entry is the pivot.
template <Scalar S>
inline void SparseLu<S>::take_single_pivot(Index col, S pivot, S inverse) {
  pivots_[col] = pivot;
  inverse_pivots_[col] = inverse;
  extremes_.take_unit(col);
}

template <Scalar S>
bool SparseLu<S>::close_column(Index col, R threshold, PivotExtremes<S>& here) {
  S* column = column_.data();
  const S pivot = std::exchange(column[col], S(0));
  const S inverse = S(1) / pivot;
  R largest = 0;
  bool is_number = is_usable_inverse(inverse);
  for (Index entry = lower_.offsets[col], end = lower_.offsets[col + 1]; entry < end; ++entry) {
    const S value = std::exchange(column[lower_.rows[entry]], S(0)) * inverse;
    largest = std::max(largest, magnitude_bound(value));
    is_number = is_number && value == value;
    lower_.values[entry] = value;
  }
  take_pivot(col, pivot, inverse, here);
  return is_number && largest * threshold <= 1;
}

template <Scalar S>
LuView<S> SparseLu<S>::view() const {
  return {blocks_, lower_.view(), upper_.view(), couplings_.view(), inverse_pivots_.data()};
}

template <Scalar S>
template <class Side>
void SparseLu<S>::solve(Side* x) const {
  solve_lu(view(), x);
}

template <Scalar S>
template <class Side>
void SparseLu<S>::solve_transposed(Side* x) const {
  solve_lu_transposed(view(), x);
}

template <Scalar S>
std::size_t SparseLu<S>::memory_bytes() const {
  return bytes_of(entries_.offsets) + bytes_of(entries_.rows) + bytes_of(entries_.sources) + bytes_of(coupling_sources_) +
         bytes_of(blocks_) + bytes_of(row_order_) + bytes_of(lower_) + bytes_of(upper_) + bytes_of(couplings_) + bytes_of(pivots_) +
         bytes_of(inverse_pivots_) + bytes_of(column_);
}

FROND_INSTANTIATE_CLASS(SparseLu)
#define FROND_INSTANTIATE(S)                             \
  template void SparseLu<S>::solve(S*) const;            \
  template void SparseLu<S>::solve(Sides<S>*) const;     \
  template void SparseLu<S>::solve_transposed(S*) const; \
  template void SparseLu<S>::solve_transposed(Sides<S>*) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
