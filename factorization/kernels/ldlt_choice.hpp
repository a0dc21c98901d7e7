// SPDX-License-Identifier: BSD-3-Clause
// Chooses pivots in LdltKernel; included by ldlt.cpp only.
#pragma once

#include <algorithm>
#include <cmath>

#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/magnitude.hpp"
#include "factorization/kernels/verify_pivots.hpp"

namespace frond {

// Looks for a pivot that contains column k or its largest partner before `end`, and brings it to k (and k + 1).
template <Scalar S>
typename LdltKernel<S>::Choice LdltKernel<S>::choose_pivot(Index k, Index end) {
  const R largest = std::max(largest_below(k, k), outside_[k]);
  if (std::max(largest, magnitude_bound(a_(k, k))) <= tolerances_.null) {
    // further updates are multiples of the column itself: it would arrive at the root like this
    return tolerances_.is_static() ? Choice::rejected : Choice::null;
  }
  if (accepts_one(k, largest)) {
    return Choice::one;
  }
  if (k + 1 == end) {
    return Choice::rejected;
  }
  const Index partner = k + 1 + blas::index_of_max(end - k - 1, &a_(k + 1, k));
  const R coupling = magnitude_bound(a_(partner, k));
  const R largest_partner = std::max({largest_left(partner, k + 1), largest_below(partner, partner), outside_[partner]});
  if (accepts_two(k, partner, std::max(largest_below(k, partner), outside_[k]), largest_partner)) {
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
  if (!(std::max(largest_diagonal, largest_off) > std::max(tolerances_.null, tolerances_.perturbation))) {
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
  if (!(determinant >= std::max(std::abs(first * second), R(1)) / R(2))) {  // after cancellation the rest is not reliable
    return false;
  }
  const R bound = determinant * off;
  if (!(bound > tolerances_.null * std::max({std::abs(first), std::abs(second), R(1)}))) {  // |det| / largest entry: one of its
    return false;                                                                           // eigenvalues counts as zero
  }
  return tolerances_.threshold * (std::abs(second) * largest_k + largest_partner) <= bound &&
         tolerances_.threshold * (largest_k + std::abs(first) * largest_partner) <= bound;
}

// The largest entry below the diagonal of column `col` in the block, row `skip` left out (skip = col: none).
template <Scalar S>
typename LdltKernel<S>::R LdltKernel<S>::largest_below(Index col, Index skip) const {
  if (skip == col) {
    return max_magnitude(panel_end_ - col - 1, a_.column(col) + col + 1);
  }
  return std::max(max_magnitude(skip - col - 1, a_.column(col) + col + 1),
                  max_magnitude(panel_end_ - skip - 1, a_.column(col) + skip + 1));
}

// The largest entry of row `row` in the columns [col_begin, row).
template <Scalar S>
typename LdltKernel<S>::R LdltKernel<S>::largest_left(Index row, Index col_begin) const {
  return col_begin < row ? max_magnitude(row - col_begin, &a_(row, col_begin), a_.ld) : R(0);
}

}  // namespace frond
