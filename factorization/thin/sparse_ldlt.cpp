// SPDX-License-Identifier: BSD-3-Clause
// Finds the entries of L, and computes them row by row.
#include "factorization/thin/sparse_ldlt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "factorization/kernels/magnitude.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

constexpr Index kNone = -1;
constexpr Index kRowsBetweenStops = 256;

// Lists the columns of each row of L, in any order: those on the paths of the elimination tree from the entries of the row (Liu
// 1990, "The role of elimination trees in sparse factorization"). Returns false if there would be too many.
bool list_columns(const SparsePattern& pattern, std::size_t most_entries, LdltStructure& structure) {
  const Index order = pattern.num_columns();
  std::vector<Index> parent(static_cast<std::size_t>(order), kNone);
  std::vector<Index> last_row(parent.size(), kNone);
  structure.row_offsets.reserve(parent.size() + 1);
  for (Index row = 0; row < order; ++row) {
    last_row[row] = row;
    for (Index entry = pattern.offsets[row]; entry < pattern.offsets[row + 1]; ++entry) {
      for (Index col = pattern.rows[entry]; last_row[col] != row; col = parent[col]) {
        last_row[col] = row;
        parent[col] = parent[col] == kNone ? row : parent[col];
        structure.columns.push_back(col);
      }
    }
    if (structure.columns.size() > most_entries) {
      return false;
    }
    structure.row_offsets.push_back(static_cast<Index>(structure.columns.size()));
  }
  return true;
}

// Lists the places of the entries of a matrix by columns, in increasing order, from a list by rows; n columns.
void transpose(Index n, std::span<const Index> row_offsets, std::span<const Index> columns, std::vector<Index>& column_offsets,
               std::vector<Index>& rows) {
  column_offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const Index col : columns) {
    ++column_offsets[col + 1];
  }
  std::partial_sum(column_offsets.begin(), column_offsets.end(), column_offsets.begin());
  rows.resize(columns.size());
  std::vector<Index> next(column_offsets.begin(), column_offsets.end() - 1);
  for (Index row = 0; row < n; ++row) {
    for (Index entry = row_offsets[row]; entry < row_offsets[row + 1]; ++entry) {
      rows[next[columns[entry]]++] = row;
    }
  }
}

}  // namespace

LdltStructure LdltStructure::of(const SparsePattern& pattern, std::size_t most_entries) {
  LdltStructure structure;
  const Index order = pattern.num_columns();
  if (!list_columns(pattern, most_entries, structure)) {
    return {};
  }
  structure.columns.shrink_to_fit();
  transpose(order, structure.row_offsets, structure.columns, structure.column_offsets, structure.rows);
  transpose(order, structure.column_offsets, structure.rows, structure.row_offsets, structure.columns);
  for (Index col = 0; col < order; ++col) {
    const double height = structure.column_offsets[col + 1] - structure.column_offsets[col];
    structure.multiplications += height * (height + 1) / 2;
  }
  return structure;
}

template <Scalar S>
SparseLdlt<S>::SparseLdlt(const LdltStructure& structure)
    : structure_(structure),
      values_(structure.rows.size()),
      pivots_(static_cast<std::size_t>(structure.order())),
      inverse_pivots_(pivots_.size()),
      row_(pivots_.size()),
      ends_(pivots_.size()) {}

template <Scalar S>
bool SparseLdlt<S>::factorize(const SparsePattern& pattern, const SparseValues<S>& matrix, const SparseLdltOptions<S>& options) {
  is_hermitian_ = options.is_hermitian;
  extremes_ = {};
  std::copy_n(structure_.column_offsets.begin(), ends_.size(), ends_.begin());
  S* row = row_.data();
  const Index* rows = structure_.rows.data();
  for (Index k = 0; k < structure_.order(); ++k) {
    if (k % kRowsBetweenStops == 0) {
      stop_if(options.observer);
    }
    load(k, pattern, matrix);
    S pivot = std::exchange(row[k], S(0));
    R largest = 0;
    for (Index entry = structure_.row_offsets[k], end = structure_.row_offsets[k + 1]; entry < end; ++entry) {
      const Index col = structure_.columns[entry];
      const S u = std::exchange(row[col], S(0));  // of D L^T, or of D L^H
      Index next = structure_.column_offsets[col];
      for (const Index known = ends_[col]; next < known; ++next) {
        row[rows[next]] -= values_[next] * u;
      }
      const S l = (is_hermitian_ ? conjugate(u) : u) * inverse_pivots_[col];
      pivot -= l * u;
      values_[next] = l;
      ++ends_[col];
      largest = std::max(largest, magnitude_bound(l));
      extremes_.take_upper(u);
    }
    const bool is_number = largest == largest && largest <= std::numeric_limits<R>::max();
    const bool is_tame = options.must_be_definite || largest * options.threshold <= 1;
    if (!is_number || !is_tame || !take_pivot(k, pivot, options)) {
      std::fill(row_.begin(), row_.end(), S(0));
      return false;
    }
  }
  return true;
}

template <Scalar S>
void SparseLdlt<S>::load(Index col, const SparsePattern& pattern, const SparseValues<S>& matrix) {
  const R scale = matrix.row_scales[col];
  for (Index entry = pattern.offsets[col], end = pattern.offsets[col + 1]; entry < end; ++entry) {
    const Index source = pattern.sources[entry];
    const S stored = source >= 0 ? matrix.values[source] : conjugate(matrix.values[-1 - source]);
    const S value = stored * (matrix.row_scales[pattern.rows[entry]] * scale);
    extremes_.take_entry(value);
    row_[pattern.rows[entry]] = value;
  }
}

template <Scalar S>
bool SparseLdlt<S>::take_pivot(Index col, S pivot, const SparseLdltOptions<S>& options) {
  if (is_hermitian_) {
    pivot = S(std::real(pivot));
  }
  const S inverse = S(1) / pivot;
  pivots_[col] = pivot;
  inverse_pivots_[col] = inverse;
  extremes_.take_pivot(col, pivot);
  return is_usable_inverse(inverse) && (!options.must_be_definite || std::real(pivot) > 0);
}

template <Scalar S>
template <class Side>
void SparseLdlt<S>::solve(Side* x) const {
  solve_ldlt(structure_.order(), structure_.with(values_.data()), inverse_pivots_.data(), is_hermitian_, x);
}

template <Scalar S>
std::size_t SparseLdlt<S>::memory_bytes() const {
  return (structure_.rows.capacity() + structure_.columns.capacity() + ends_.capacity()) * sizeof(Index) +
         (structure_.column_offsets.capacity() + structure_.row_offsets.capacity()) * sizeof(Index) +
         (values_.capacity() + pivots_.capacity() + inverse_pivots_.capacity() + row_.capacity()) * sizeof(S);
}

FROND_INSTANTIATE_CLASS(SparseLdlt)
#define FROND_INSTANTIATE(S)                    \
  template void SparseLdlt<S>::solve(S*) const; \
  template void SparseLdlt<S>::solve(Sides<S>*) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
