// SPDX-License-Identifier: BSD-3-Clause
// Threshold LDLT of a panel: strips eliminated column by column, the rest of the panel updated strip by strip.
#include "factorization/kernels/ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/rank_update.hpp"

namespace frond {
namespace {

constexpr Index kStripWidth = 16;  // columns that are updated pivot by pivot

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

// W := D op(L)^T for the pivots [begin, end) of the front; `l` holds these columns of L for the wanted rows, one column of W per
// row of `l`.
template <Scalar S>
void scale_transposed(const FrontFactor<S>& front, bool hermitian, Index begin, Index end, DenseView<const S> l, DenseView<S> w) {
  const auto adjoint = [hermitian](S value) { return hermitian ? conjugate(value) : value; };
  for (Index k = begin; k < end; ++k) {
    const Index row = k - begin;
    const S d = front.d[2 * k];
    if (front.pivots[k] != PivotKind::two_by_two) {
      for (Index j = 0; j < l.rows; ++j) {
        w(row, j) = d * adjoint(l(j, row));
      }
      continue;
    }
    const S off = front.d[2 * k + 1];
    const S next = front.d[2 * k + 2];
    for (Index j = 0; j < l.rows; ++j) {
      const S first = adjoint(l(j, row));
      const S second = adjoint(l(j, row + 1));
      w(row, j) = d * first + adjoint(off) * second;
      w(row + 1, j) = off * first + next * second;
    }
    ++k;
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
      unscaled_(2 * static_cast<std::size_t>(front.num_fully_summed)) {}

template <Scalar S>
Index LdltKernel<S>::eliminate_panel(Index begin, Index end) {
  panel_begin_ = begin;
  Index k = begin;
  Index pass_begin;
  do {  // columns rejected in one pass have another chance if the pass brought pivots
    pass_begin = k;
    Index candidates_end = end;
    while (k < candidates_end) {
      const Index strip_end = std::min(k + kStripWidth, candidates_end);
      const Index pivots_end = k + eliminate_strip(k, strip_end);
      update_columns(k, pivots_end, strip_end, end);
      k = pivots_end;
      for (Index rejected = strip_end - 1; rejected >= k; --rejected) {
        exchange_in_panel(rejected, --candidates_end);
      }
    }
  } while (k > pass_begin && k < end);
  std::fill(exchanges_applied_.begin() + begin, exchanges_applied_.begin() + k, exchanges_.size());
  return k - begin;
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

// Looks for a pivot that contains column k or its largest partner before `end`, and brings it to k (and k + 1).
template <Scalar S>
typename LdltKernel<S>::Choice LdltKernel<S>::choose_pivot(Index k, Index end) {
  const R largest = largest_below(k, k);
  if (std::max(largest, magnitude_bound(a_(k, k))) <= tolerances_.null) {
    return Choice::null;  // further updates are multiples of the column itself: it would arrive at the root like this
  }
  if (accepts_one(k, largest)) {
    return Choice::one;
  }
  if (k + 1 == end) {
    return Choice::rejected;
  }
  const Index partner = k + 1 + blas::index_of_max(end - k - 1, &a_(k + 1, k));
  const R coupling = magnitude_bound(a_(partner, k));
  const R largest_partner = std::max(largest_left(partner, k + 1), largest_below(partner, partner));
  if (accepts_two(k, partner, largest_below(k, partner), largest_partner)) {
    exchange_in_panel(k + 1, partner);
    return Choice::two;
  }
  if (accepts_one(partner, std::max(coupling, largest_partner))) {
    exchange_in_panel(k, partner);
    return Choice::one;
  }
  return Choice::rejected;
}

// Complete pivoting on the columns [k, p) of a root (Bunch & Parlett 1971).
template <Scalar S>
typename LdltKernel<S>::Choice LdltKernel<S>::choose_complete_pivot(Index k) {
  const R alpha = (R(1) + std::sqrt(R(17))) / R(8);
  Index diagonal = k;
  std::pair<Index, Index> off{k, k};
  R largest_off = 0;
  for (Index j = k; j < a_.cols; ++j) {
    if (magnitude_bound(a_(j, j)) > magnitude_bound(a_(diagonal, diagonal))) {
      diagonal = j;
    }
    if (j + 1 < a_.cols) {
      const Index i = j + 1 + blas::index_of_max(a_.cols - j - 1, &a_(j + 1, j));
      if (magnitude_bound(a_(i, j)) > largest_off) {
        largest_off = magnitude_bound(a_(i, j));
        off = {i, j};
      }
    }
  }
  const R largest_diagonal = magnitude_bound(a_(diagonal, diagonal));
  if (!(std::max(largest_diagonal, largest_off) > tolerances_.null)) {
    return Choice::null;
  }
  if (largest_diagonal >= alpha * largest_off) {
    exchange(k, diagonal);
    return Choice::one;
  }
  exchange(k, off.second);
  exchange(k + 1, off.first);
  return Choice::two;
}

template <Scalar S>
bool LdltKernel<S>::accepts_one(Index k, R largest) const {
  const R pivot = std::abs(a_(k, k));
  return pivot > tolerances_.null && pivot >= tolerances_.threshold * largest;
}

// Everything is measured in units of the off-diagonal entry, so that no product overflows.
template <Scalar S>
bool LdltKernel<S>::accepts_two(Index k, Index partner, R largest_k, R largest_partner) const {
  const R off = std::abs(a_(partner, k));
  if (!(off > tolerances_.null)) {
    return false;
  }
  const S first = a_(k, k) / off;
  const S second = a_(partner, partner) / off;
  const S coupling = (a_(partner, k) / off) * adjoint(a_(partner, k) / off);
  const R determinant = std::abs(first * second - coupling);
  if (!(determinant >= std::max(std::abs(first * second), R(1)) / R(2))) {  // what cancellation leaves is not to be trusted
    return false;
  }
  const R bound = determinant * off;
  return tolerances_.threshold * (std::abs(second) * largest_k + largest_partner) <= bound &&
         tolerances_.threshold * (largest_k + std::abs(first) * largest_partner) <= bound;
}

// The largest entry below the diagonal of column `col`, row `skip` left out (skip = col: none).
template <Scalar S>
typename LdltKernel<S>::R LdltKernel<S>::largest_below(Index col, Index skip) const {
  if (skip == col) {
    return max_magnitude(a_.rows - col - 1, a_.column(col) + col + 1);
  }
  return std::max(max_magnitude(skip - col - 1, a_.column(col) + col + 1),
                  max_magnitude(a_.rows - skip - 1, a_.column(col) + skip + 1));
}

// The largest entry of row `row` in the columns [col_begin, row).
template <Scalar S>
typename LdltKernel<S>::R LdltKernel<S>::largest_left(Index row, Index col_begin) const {
  return col_begin < row ? max_magnitude(row - col_begin, &a_(row, col_begin), a_.ld) : R(0);
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
  ++(sign_of(d) > 0 ? counts_.positive : counts_.negative);
  S* l = a_.column(k);
  std::copy(l + k + 1, l + end, unscaled_.begin());
  std::for_each(l + k + 1, l + a_.rows, [inverse = S(1) / d](S& value) { value *= inverse; });
  for (Index j = k + 1; j < end; ++j) {
    blas::axpy(a_.rows - j, -adjoint(unscaled_[static_cast<std::size_t>(j - k - 1)]), l + j, &a_(j, j));
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
  ++counts_.two_by_two;
  const R scale = std::abs(d21);
  const S determinant = (d11 / scale) * (d22 / scale) - (d21 / scale) * adjoint(d21 / scale);
  const Count num_positive = sign_of(determinant) < 0 ? 1 : sign_of(d11) > 0 ? 2 : 0;
  counts_.positive += num_positive;
  counts_.negative += 2 - num_positive;

  // (l1, l2) D = (x, y), D = [d11, adjoint(d21); d21, d22]
  const S inverse11 = (d22 / scale) / determinant / scale;
  const S inverse22 = (d11 / scale) / determinant / scale;
  const S inverse21 = -(d21 / scale) / determinant / scale;
  const S inverse12 = -adjoint(d21 / scale) / determinant / scale;
  S* l1 = a_.column(k);
  S* l2 = a_.column(k + 1);
  l1[k + 1] = S(0);
  const Index first = k + 2;
  const Index num_columns = end - first;
  std::copy_n(l1 + first, num_columns, unscaled_.begin());
  std::copy_n(l2 + first, num_columns, unscaled_.begin() + num_columns);
  for (Index i = first; i < a_.rows; ++i) {
    const S x = l1[i];
    const S y = l2[i];
    l1[i] = x * inverse11 + y * inverse21;
    l2[i] = x * inverse12 + y * inverse22;
  }
  for (Index j = first; j < end; ++j) {
    const auto column = static_cast<std::size_t>(j - first);
    blas::axpy(a_.rows - j, -adjoint(unscaled_[column]), l1 + j, &a_(j, j));
    blas::axpy(a_.rows - j, -adjoint(unscaled_[column + static_cast<std::size_t>(num_columns)]), l2 + j, &a_(j, j));
  }
}

template <Scalar S>
void LdltKernel<S>::make_null(Index k) {
  std::fill_n(a_.column(k) + k, a_.rows - k, S(0));
  front_.d[2 * k] = S(0);
  front_.d[2 * k + 1] = S(0);
  front_.pivots[k] = PivotKind::null;
  counts_.null_variables.push_back(front_.row_variables[k]);
}

template <Scalar S>
void LdltKernel<S>::update_columns(Index pivot_begin, Index pivot_end, Index begin, Index end) {
  const Index num_pivots = pivot_end - pivot_begin;
  if (num_pivots == 0 || begin == end) {
    return;
  }
  const DenseView<const S> l = a_.block(begin, pivot_begin, a_.rows - begin, num_pivots);
  const DenseView<S> scaled = a_.block(pivot_begin, begin, num_pivots, end - begin);
  scale_transposed(front_, hermitian_, pivot_begin, pivot_end, l.block(0, 0, end - begin, num_pivots), scaled);
  subtract_product_lower<S>(blas::Op::none, l, scaled, a_.block(begin, begin, a_.rows - begin, end - begin));
}

template <Scalar S>
void LdltKernel<S>::close_panels(Index, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    S* column = a_.column(j);
    std::size_t& applied = exchanges_applied_[static_cast<std::size_t>(j)];
    for (; applied < exchanges_.size(); ++applied) {
      std::swap(column[exchanges_[applied].first], column[exchanges_[applied].second]);
    }
  }
}

template <Scalar S>
void LdltKernel<S>::exchange(Index i, Index j) {
  exchange_symmetrically(i, j, 0);
}

template <Scalar S>
void LdltKernel<S>::exchange_in_panel(Index i, Index j) {
  if (i != j) {
    exchange_symmetrically(i, j, panel_begin_);
    exchanges_.emplace_back(i, j);
  }
}

// Exchanges rows and columns i <= j of the symmetric block; of the columns before i those from col_begin on.
template <Scalar S>
void LdltKernel<S>::exchange_symmetrically(Index i, Index j, Index col_begin) {
  if (i == j) {
    return;
  }
  std::swap(front_.row_variables[i], front_.row_variables[j]);
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
  Index k = begin;
  while (k < p) {
    const Choice choice = choose_complete_pivot(k);
    if (choice == Choice::null) {
      break;
    }
    eliminate_pivot(choice, k, p);
    k += choice == Choice::two ? 2 : 1;
  }
  for (; k < p; ++k) {
    make_null(k);
  }
}

// F22 -= L21 D op(L21)^T, so many pivots at a time that D op(L)^T stays in cache.
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
    scale_transposed(front_, hermitian_, first, last, pivots.block(0, 0, width, pivots.cols), scaled);
    subtract_product_lower<S>(blas::Op::none, pivots, scaled, target);
    first = last;
  }
}

template class LdltKernel<float>;
template class LdltKernel<double>;
template class LdltKernel<std::complex<float>>;
template class LdltKernel<std::complex<double>>;

}  // namespace frond
