// SPDX-License-Identifier: BSD-3-Clause
// Rows of the variables that stay for a Schur complement, beside those of the others.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond {

/// Right-hand sides of block 1 and the solution of block 2, as one block of rows.
template <Scalar S>
class JoinedRows {
 public:
  /// `kept` are the variables of the Schur complement, of a matrix of that order. Throws UsageError for another number of columns.
  JoinedRows(Index order, std::span<const Index> kept, const DenseRows<const S>& b, const DenseRows<const S>& x2);
  [[nodiscard]] DenseRows<const S> view() const;

 private:
  std::vector<Index> rows_;
  DenseMatrix<S> values_;
};

/// All kept rows in the order of `kept`, to which `rows` have been added; `num_columns` of them.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> all_kept_rows(std::span<const Index> kept, const DenseRows<const S>& rows, Index num_columns);
/// The other way: `all` has a row for each of `kept`.
template <Scalar S>
void copy_kept_rows(std::span<const Index> kept, DenseView<const S> all, const DenseRows<S>& to);

/// Throws UsageError unless all rows are of variables that are kept.
void check_kept(std::span<const Index> rows, std::span<const Index> kept);

}  // namespace frond
