// SPDX-License-Identifier: BSD-3-Clause
// Threshold LDLT of a panel: its square block by strips, which are eliminated column by column, then the rows below at once.
#include "factorization/kernels/ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "factorization/kernels/ldlt_choice.hpp"
#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/verify_pivots.hpp"

namespace frond {
namespace {

constexpr Index kStripColumns = 16;  // columns that are updated pivot by pivot
constexpr Index kRowsAtATime = 256;  // with the columns of a panel, about half of a second level cache

template <Scalar S>
S real_part(S value) {
  if constexpr (kIsComplex<S>) {
    return S(value.real());
  } else {
    return value;
  }
}

template <Scalar S>
RealOf<S> sign_of(S value) {
  if constexpr (kIsComplex<S>) {
    return value.real();
  } else {
    return value;
  }
}

}  // namespace

template <Scalar S>
LdltKernel<S>::LdltKernel(const FrontFactor<S>& front, bool hermitian, PivotTolerances<R> tolerances)
    : front_(front),
      a_{front.lower, front.order, front.num_fully_summed, front.order},
      hermitian_(hermitian),
      tolerances_(tolerances),
      exchanges_applied_(static_cast<std::size_t>(front.num_fully_summed)),
      unscaled_(2 * static_cast<std::size_t>(front.num_fully_summed)),
      outside_(front.num_fully_summed) {}

template <Scalar S>
Index LdltKernel<S>::eliminate_panel(Index begin, Index end) {
  panel_begin_ = begin;
  panel_end_ = end;
  Index num_new = 0;
  Index k = begin;
  do {  // with fresh maxima rejected columns have another chance; those of slaves are known only when a panel begins
    num_new = attempt(k);
    k += num_new;
  } while (num_new > 0 && k < end && slave_maxima_.empty());
  std::fill(exchanges_applied_.begin() + begin, exchanges_applied_.begin() + k, exchanges_.size());
  return k - begin;
}

// Looks for pivots in the square block of the columns [begin, panel_end_), then computes their L below and keeps those that are
// small enough. Returns how many. The first pivot is tested against all entries of its column.
template <Scalar S>
Index LdltKernel<S>::attempt(Index begin) {
  keep_columns(begin);
  start_bounds(begin);
  pivots_end_ = begin + eliminate_block(begin);
  if (const Index end = begin + verify_below(begin); end < panel_end_) {
    restore_behind(end);
  }
  return pivots_end_ - begin;
}

template <Scalar S>
Index LdltKernel<S>::eliminate_block(Index begin) {
  Index candidates_end = panel_end_;
  Index k = begin;
  while (k < candidates_end) {
    const Index strip_end = std::min(k + kStripColumns, candidates_end);
    const Index pivots_end = k + eliminate_strip(k, strip_end);
    update_rows(k, pivots_end, strip_end, panel_end_, panel_end_);
    grow_outside(k, pivots_end, strip_end, panel_end_);
    k = pivots_end;
    for (Index rejected = strip_end - 1; rejected >= k; --rejected) {
      exchange_in_panel(rejected, --candidates_end);
    }
  }
  return k - begin;
}

// Computes the rows of L below the panel, a few at a time for the sake of the cache. Returns how many pivots pass all tests.
template <Scalar S>
Index LdltKernel<S>::verify_below(Index begin) {
  const Index num_pivots = pivots_end_ - begin;
  Index num_verified = num_pivots;
  const Index tested_end = a_.rows - front_.num_schur_rows;
  for (Index row = panel_end_; row < tested_end && num_verified > 0; row += kRowsAtATime) {
    const DenseView<S> x = a_.block(row, begin, std::min(kRowsAtATime, tested_end - row), num_verified);
    num_verified = divide_and_verify<S>(diagonal(), begin, a_.block(begin, begin, num_verified, num_verified), tolerances_, x);
  }
  divide_below(begin, begin + num_verified, std::max(panel_end_, tested_end));
  return num_verified;
}

// Computes the rows of L from `row_begin` on in the columns of the pivots [begin, end), without a test.
template <Scalar S>
void LdltKernel<S>::divide_below(Index begin, Index end, Index row_begin) {
  const Index num_pivots = end - begin;
  for (Index row = row_begin; row < a_.rows && num_pivots > 0; row += kRowsAtATime) {
    divide_rows<S>(diagonal(), begin, a_.block(begin, begin, num_pivots, num_pivots),
                   a_.block(row, begin, std::min(kRowsAtATime, a_.rows - row), num_pivots));
  }
}

// Eliminates what it can of the columns [begin, end), pivot by pivot. Returns how many; they come first.
template <Scalar S>
Index LdltKernel<S>::eliminate_strip(Index begin, Index end) {
  Index candidates_end = end;
  Index k = begin;
  while (k < candidates_end) {
    const Choice choice = choose_pivot(k, end);
    if (choice == Choice::rejected) {
      exchange_in_panel(k, --candidates_end);
      continue;
    }
    eliminate_pivot(choice, k, end);
    k += choice == Choice::two ? 2 : 1;
  }
  return k - begin;
}

template <Scalar S>
void LdltKernel<S>::eliminate_pivot(Choice choice, Index k, Index end) {
  switch (choice) {
    case Choice::one:
      return eliminate_one(k, end);
    case Choice::two:
      return eliminate_two(k, end);
    case Choice::null:
    case Choice::rejected:
      return make_null(k);
  }
}

template <Scalar S>
void LdltKernel<S>::eliminate_one(Index k, Index end) {
  const S d = hermitian_ ? real_part(a_(k, k)) : a_(k, k);
  front_.d[2 * k] = d;
  front_.d[2 * k + 1] = S(0);
  front_.pivots[k] = PivotKind::one_by_one;
  count_pivot(k, 1);
  note_outside(k, 1);
  S* l = a_.column(k);
  std::copy(l + k + 1, l + end, unscaled_.begin());
  std::for_each(l + k + 1, l + panel_end_, [inverse = S(1) / d](S& value) { value *= inverse; });
  for (Index j = k + 1; j < end; ++j) {
    const S w = adjoint(unscaled_[j - k - 1]);
    blas::axpy(panel_end_ - j, -w, l + j, &a_(j, j));
    outside_.grow(j, k, magnitude_bound(w));
  }
}

template <Scalar S>
void LdltKernel<S>::eliminate_two(Index k, Index end) {
  const S d11 = hermitian_ ? real_part(a_(k, k)) : a_(k, k);
  const S d22 = hermitian_ ? real_part(a_(k + 1, k + 1)) : a_(k + 1, k + 1);
  const S d21 = a_(k + 1, k);
  front_.d[2 * k] = d11;
  front_.d[2 * k + 1] = d21;
  front_.d[2 * k + 2] = d22;
  front_.d[2 * k + 3] = S(0);
  front_.pivots[k] = PivotKind::two_by_two;
  front_.pivots[k + 1] = PivotKind::second_of_two;
  count_pivot(k, 1);
  note_outside(k, 2);
  const InverseOfTwo<S> inverse(diagonal(), k);
  S* l1 = a_.column(k);
  S* l2 = a_.column(k + 1);
  l1[k + 1] = S(0);
  const Index first = k + 2;
  const Index num_columns = end - first;
  std::copy_n(l1 + first, num_columns, unscaled_.begin());
  std::copy_n(l2 + first, num_columns, unscaled_.begin() + num_columns);
  for (Index i = first; i < panel_end_; ++i) {
    const S x = l1[i];
    const S y = l2[i];
    l1[i] = x * inverse.e11 + y * inverse.e21;
    l2[i] = x * inverse.e12 + y * inverse.e22;
  }
  for (Index j = first; j < end; ++j) {
    const auto column = static_cast<std::size_t>(j - first);
    const S w1 = adjoint(unscaled_[column]);
    const S w2 = adjoint(unscaled_[column + static_cast<std::size_t>(num_columns)]);
    blas::axpy(panel_end_ - j, -w1, l1 + j, &a_(j, j));
    blas::axpy(panel_end_ - j, -w2, l2 + j, &a_(j, j));
    outside_.grow(j, k, magnitude_bound(w1));
    outside_.grow(j, k + 1, magnitude_bound(w2));
  }
}

// Adds pivot k to the counts (sign = 1), or takes it out again (sign = -1).
template <Scalar S>
void LdltKernel<S>::count_pivot(Index k, Count sign) {
  const R first = sign_of(front_.d[2 * k]);
  if (front_.pivots[k] == PivotKind::one_by_one) {
    (first > 0 ? counts_.positive : counts_.negative) += sign;
  } else if (front_.pivots[k] == PivotKind::two_by_two) {
    const Count num_positive = sign_of(InverseOfTwo<S>(diagonal(), k).determinant) < 0 ? 1 : first > 0 ? 2 : 0;
    counts_.two_by_two += sign;
    counts_.positive += sign * num_positive;
    counts_.negative += sign * (2 - num_positive);
  }
}

// Carries the bounds of the columns [begin, end) through the pivots, whose D op(L)^T update_rows() has left in place.
template <Scalar S>
void LdltKernel<S>::grow_outside(Index pivot_begin, Index pivot_end, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    for (Index k = pivot_begin; k < pivot_end; ++k) {
      outside_.grow(j, k, magnitude_bound(a_(k, j)));
    }
  }
}

// Turns the bounds of the columns of the pivot at k into bounds of its columns of L.
template <Scalar S>
void LdltKernel<S>::note_outside(Index k, Index num_columns) {
  if (num_columns == 1) {
    outside_.note_pivot(k, outside_[k] * magnitude_bound(S(1) / front_.d[2 * k]));
    return;
  }
  const InverseOfTwo<S> inverse(diagonal(), k);
  const R first = outside_[k];
  const R second = outside_[k + 1];
  outside_.note_pivot(k, first * magnitude_bound(inverse.e11) + second * magnitude_bound(inverse.e21));
  outside_.note_pivot(k + 1, first * magnitude_bound(inverse.e12) + second * magnitude_bound(inverse.e22));
}

template <Scalar S>
void LdltKernel<S>::make_null(Index k) {
  std::fill_n(a_.column(k) + k, panel_end_ - k, S(0));
  front_.d[2 * k] = S(0);
  front_.d[2 * k + 1] = S(0);
  front_.pivots[k] = PivotKind::null;
  counts_.null_variables.push_back(front_.row_variables[k]);
}

// Applies the pivots to the columns [begin, end), in the rows before `row_end`.
template <Scalar S>
void LdltKernel<S>::update_rows(Index pivot_begin, Index pivot_end, Index begin, Index end, Index row_end) {
  const Index num_pivots = pivot_end - pivot_begin;
  if (num_pivots == 0 || begin == end) {
    return;
  }
  const DenseView<const S> l = a_.block(begin, pivot_begin, row_end - begin, num_pivots);
  const DenseView<S> scaled = a_.block(pivot_begin, begin, num_pivots, end - begin);
  scale_transposed<S>(diagonal(), pivot_begin, pivot_end, l.block(0, 0, end - begin, num_pivots), scaled);
  subtract_product_lower<S>(blas::Op::none, l, scaled, a_.block(begin, begin, row_end - begin, end - begin));
}

template <Scalar S>
void LdltKernel<S>::close_panels(Index, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    S* column = a_.column(j);
    std::size_t& applied = exchanges_applied_[j];
    for (; applied < exchanges_.size(); ++applied) {
      std::swap(column[exchanges_[applied].first], column[exchanges_[applied].second]);
    }
  }
}

template <Scalar S>
void LdltKernel<S>::exchange_in_panel(Index i, Index j) {
  if (i != j) {
    exchange_symmetrically(i, j, panel_begin_);
    exchanges_.push_back({i, j});
    std::swap(kept_index_[i - kept_begin_], kept_index_[j - kept_begin_]);
  }
}

// Exchanges rows and columns i <= j of the symmetric block; of the columns before i those from col_begin on.
template <Scalar S>
void LdltKernel<S>::exchange_symmetrically(Index i, Index j, Index col_begin) {
  if (i == j) {
    return;
  }
  std::swap(front_.row_variables[i], front_.row_variables[j]);
  outside_.exchange(i, j);
  if (!slave_maxima_.empty()) {
    std::swap(slave_maxima_[i], slave_maxima_[j]);
    untold_exchanges_.push_back({i, j});
  }
  blas::swap(i - col_begin, &a_(i, col_begin), a_.ld, &a_(j, col_begin), a_.ld);
  std::swap(a_(i, i), a_(j, j));
  for (Index between = i + 1; between < j; ++between) {
    const S value = a_(between, i);
    a_(between, i) = adjoint(a_(j, between));
    a_(j, between) = adjoint(value);
  }
  a_(j, i) = adjoint(a_(j, i));
  blas::swap(a_.rows - j - 1, a_.column(i) + j + 1, 1, a_.column(j) + j + 1, 1);
}

template <Scalar S>
void LdltKernel<S>::eliminate_rest(Index begin) {
  const Index p = a_.cols;
  panel_end_ = p;
  Index k = begin;
  while (k < p) {
    Choice choice = choose_complete_pivot(k);
    if (choice == Choice::null && tolerances_.is_static()) {
      perturb(k);
      choice = Choice::one;
    }
    if (choice == Choice::null) {
      break;
    }
    eliminate_pivot(choice, k, p);
    k += choice == Choice::two ? 2 : 1;
  }
  for (; k < p; ++k) {
    make_null(k);
  }
  pivots_end_ = p;
  divide_below(begin, p, p);
}

// Makes the diagonal entry as large as the perturbation, and leaves its sign.
template <Scalar S>
void LdltKernel<S>::perturb(Index k) {
  S& pivot = a_(k, k);
  const S entry = hermitian_ ? real_part(pivot) : pivot;  // its imaginary part is rounding errors
  const R size = std::abs(entry);
  pivot = size > 0 ? entry / size * tolerances_.perturbation : S(tolerances_.perturbation);
  ++counts_.perturbed;
}

// F22 -= L21 D op(L21)^T, with as many pivots at a time as keep D op(L)^T in cache.
template <Scalar S>
void LdltKernel<S>::update_contribution(const PanelLayout& layout, S* cb, Index begin, Index end) const {
  const Index num_eliminated = front_.num_eliminated;
  const Index row = front_.num_fully_summed + begin;
  const Index width = end - begin;
  const Index ld = std::min(num_eliminated, kPanelWidth + 1);
  const auto workspace = std::make_unique_for_overwrite<S[]>(static_cast<std::size_t>(ld) * static_cast<std::size_t>(width));
  const DenseView<S> target{cb + layout.column_offset(begin) + begin, layout.order - begin, width,
                            layout.leading_dimension(begin / layout.width)};
  const DenseView<const S> l{front_.lower + row, front_.order - row, num_eliminated, front_.order};
  for (Index first = 0; first < num_eliminated;) {
    Index last = std::min(first + kPanelWidth, num_eliminated);
    if (last < num_eliminated && front_.pivots[last] == PivotKind::second_of_two) {
      ++last;
    }
    const DenseView<S> scaled{workspace.get(), last - first, width, ld};
    const DenseView<const S> pivots = l.columns(first, last);
    scale_transposed<S>(diagonal(), first, last, pivots.block(0, 0, width, pivots.cols), scaled);
    subtract_product_lower<S>(blas::Op::none, pivots, scaled, target);
    first = last;
  }
}

template <Scalar S>
void LdltKernel<S>::keep_columns(Index begin) {
  const Index height = a_.rows - begin;
  const Index width = panel_end_ - begin;
  kept_begin_ = begin;
  kept_.resize(static_cast<std::size_t>(height) * static_cast<std::size_t>(width));
  kept_index_.resize(static_cast<std::size_t>(width));
  std::iota(kept_index_.begin(), kept_index_.end(), 0);
  for (Index j = 0; j < width; ++j) {
    std::copy_n(a_.column(begin + j) + begin + j, height - j, kept_.begin() + j * height + j);
  }
}

// Starts the bounds of what is outside the block of the columns [begin, panel_end_): the rows below it, and those of slaves.
template <Scalar S>
void LdltKernel<S>::start_bounds(Index begin) {
  for (Index j = begin; j < panel_end_; ++j) {
    const R below = max_magnitude(a_.rows - front_.num_schur_rows - panel_end_, a_.column(j) + panel_end_);
    const R of_slaves = slave_maxima_.empty() ? R(0) : slave_maxima_[j];
    outside_.start(j, std::max(below, of_slaves));
  }
}

template <Scalar S>
void LdltKernel<S>::start_panel(Index begin, std::span<const R> maxima) {
  slave_maxima_.resize(static_cast<std::size_t>(a_.cols));
  std::copy(maxima.begin(), maxima.end(), slave_maxima_.begin() + begin);
  for (const auto& [i, j] : untold_exchanges_) {
    std::swap(slave_maxima_[i], slave_maxima_[j]);
  }
}

template <Scalar S>
LdltPanel<S> LdltKernel<S>::panel(Index begin, Index end) {
  const auto num_pivots = static_cast<std::size_t>(end - begin);
  return {begin, take_exchanges(), a_.block(begin, begin, a_.rows - begin, end - begin),
          std::span<const S>(front_.d + 2 * begin, 2 * num_pivots), std::span<const PivotKind>(front_.pivots + begin, num_pivots)};
}

template <Scalar S>
std::span<const Exchange> LdltKernel<S>::take_exchanges() {
  told_exchanges_ = std::exchange(untold_exchanges_, {});
  return told_exchanges_;
}

template <Scalar S>
Index LdltKernel<S>::keep_verified(Index num_verified) {
  Index end = kept_begin_ + num_verified;
  if (end < pivots_end_ && front_.pivots[end] == PivotKind::second_of_two) {
    --end;
  }
  if (end < pivots_end_) {
    restore_behind(end);
  }
  return end - kept_begin_;
}

// Restores the columns [end, panel_end_), pivots or not, to their kept values, updated by the pivots before them.
template <Scalar S>
void LdltKernel<S>::restore_behind(Index end) {
  for (Index k = end; k < pivots_end_; ++k) {
    count_pivot(k, -1);
    if (front_.pivots[k] == PivotKind::null) {
      counts_.null_variables.pop_back();
    }
  }
  pivots_end_ = end;
  const Index begin = kept_begin_;
  const DenseView<const S> kept{kept_.data(), a_.rows - begin, panel_end_ - begin, a_.rows - begin};
  for (Index j = end; j < panel_end_; ++j) {
    const Index col = kept_index_[j - begin];
    for (Index i = j; i < panel_end_; ++i) {
      const Index row = kept_index_[i - begin];
      a_(i, j) = row >= col ? kept(row, col) : adjoint(kept(col, row));
    }
    std::copy(kept.column(col) + kept.cols, kept.column(col) + kept.rows, a_.column(j) + panel_end_);
  }
  update_columns(begin, end, end, panel_end_);
}

FROND_INSTANTIATE_CLASS(LdltKernel)

}  // namespace frond
