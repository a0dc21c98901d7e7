// SPDX-License-Identifier: BSD-3-Clause
// Rows of right-hand sides or solutions, as one rank has them.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond {

/// What one rank gives of B and asks for of X.
template <class S>
struct RankSides {
  DenseRows<const S> b;   ///< rows that are given several times, on one rank or on several, add up; rows that nobody gives are 0
  DenseRows<S> x;         ///< any rank may ask for any row; may lie where its b is
  Index num_columns = 0;  ///< of B, the same on all ranks
};

/// 0, 1, ..., order - 1.
[[nodiscard]] std::vector<Index> all_rows(Index order);

/// What a rank passes that has all of the matrix, or does not: `rows` are all_rows().
template <class S>
[[nodiscard]] DenseRows<S> all_or_nothing(bool has_all, std::span<const Index> rows, DenseView<S> values) {
  return has_all ? DenseRows<S>{rows, values} : DenseRows<S>{};
}

/// Adds each row to that row of `to`, one after the other.
template <class S>
void add_rows(const DenseRows<const S>& from, DenseView<S> to);
template <class S>
void copy_rows(DenseView<const S> from, const DenseRows<S>& to);

/// Throws UsageError, with the place, unless every number is finite.
template <class S>
void check_finite(const DenseRows<const S>& b);

/// Throws UsageError unless the rows of both exist and have their place in the values, and b is finite. Columns are not compared.
template <class S>
void check_rows(Index order, const DenseRows<const S>& b, const DenseRows<S>& x);

/// The number of columns of both, of which either may be a view of nothing. Throws UsageError where they differ.
template <class S>
[[nodiscard]] Index common_columns(const DenseRows<const S>& b, const DenseRows<S>& x);

/// Some rows as a matrix of all of them, for a process that has to itself what other processes would add: rows that are given
/// several times add up, rows that are not given are 0. Rows that come as all of them in their order are viewed as they are.
template <class S>
class WholeRows {
 public:
  /// What is given has been checked, and outlives this object.
  WholeRows(Index order, const DenseRows<const S>& given, Index num_columns);
  WholeRows(const WholeRows&) = delete;
  WholeRows& operator=(const WholeRows&) = delete;

  [[nodiscard]] DenseView<const S> view() const { return view_; }

 private:
  DenseMatrix<S> own_;
  DenseView<const S> view_;
};

/// The same for B, and for X, whose rows are given back.
template <class S>
class WholeSides {
 public:
  /// What is given and asked for outlives this object. Throws UsageError as check_rows() does, and where columns differ.
  WholeSides(Index order, const DenseRows<const S>& b, const DenseRows<S>& x);
  WholeSides(const WholeSides&) = delete;
  WholeSides& operator=(const WholeSides&) = delete;

  [[nodiscard]] RankSides<S> view() const { return {{{}, b_.view()}, {{}, x_}, x_.cols}; }
  /// Copies the rows of X that are asked for to where they belong.
  void give() const;

 private:
  WholeRows<S> b_;
  DenseRows<S> asked_;
  DenseMatrix<S> own_x_;
  DenseView<S> x_;
};

}  // namespace frond
