// SPDX-License-Identifier: BSD-3-Clause
// Handles rows of right-hand sides or solutions as held by one rank.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond {

/// The rows of B that one rank passes and the rows of X that it requests.
template <class S>
struct RankSides {
  DenseRows<const S> b;   ///< rows that are repeated, on one rank or on several, add up; rows that no rank passes are 0
  DenseRows<S> x;         ///< any rank may request any row; may overlap its b
  Index num_columns = 0;  ///< of B, the same on all ranks
};

/// 0, 1, ..., order - 1.
[[nodiscard]] std::vector<Index> all_rows(Index order);

/// The rows that a rank passes if it has all of the matrix, or none: `rows` are all_rows().
template <class S>
[[nodiscard]] DenseRows<S> all_or_nothing(bool has_all, std::span<const Index> rows, DenseView<S> values) {
  return has_all ? DenseRows<S>{rows, values} : DenseRows<S>{};
}

/// Adds each row to its row of `to`, one after the other.
template <class S>
void add_rows(const DenseRows<const S>& from, DenseView<S> to);
template <class S>
void copy_rows(DenseView<const S> from, const DenseRows<S>& to);

/// Throws UsageError, with the position, unless every number is finite.
template <class S>
void check_finite(const DenseRows<const S>& b);

/// Throws UsageError unless the rows of both exist and fit into the values, and b is finite. Columns are not compared.
template <class S>
void check_rows(Index order, const DenseRows<const S>& b, const DenseRows<S>& x);

/// The number of columns of both, either of which may be an empty view. Throws UsageError if they differ.
template <class S>
[[nodiscard]] Index common_columns(const DenseRows<const S>& b, const DenseRows<S>& x);

/// Some rows as a matrix of all of them, for a single process that does the summation across ranks itself: repeated rows add up,
/// missing rows are 0. If the rows are all of them in their order, they are viewed in place.
template <class S>
class WholeRows {
 public:
  /// `given` has been checked, and must outlive this object.
  WholeRows(Index order, const DenseRows<const S>& given, Index num_columns);
  WholeRows(const WholeRows&) = delete;
  WholeRows& operator=(const WholeRows&) = delete;

  [[nodiscard]] DenseView<const S> view() const { return view_; }

 private:
  DenseMatrix<S> own_;
  DenseView<const S> view_;
};

/// The same for B, and for X, whose rows are written back.
template <class S>
class WholeSides {
 public:
  /// Both must outlive this object. Throws UsageError as check_rows() does, and if columns differ.
  WholeSides(Index order, const DenseRows<const S>& b, const DenseRows<S>& x);
  WholeSides(const WholeSides&) = delete;
  WholeSides& operator=(const WholeSides&) = delete;

  [[nodiscard]] RankSides<S> view() const { return {{{}, b_.view()}, {{}, x_}, x_.cols}; }
  /// Copies the requested rows of X to the caller.
  void give() const;

 private:
  WholeRows<S> b_;
  DenseRows<S> asked_;
  DenseMatrix<S> own_x_;
  DenseView<S> x_;
};

}  // namespace frond
