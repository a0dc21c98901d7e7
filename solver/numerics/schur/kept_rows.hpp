// SPDX-License-Identifier: BSD-3-Clause
// Separates the rows of the variables kept for a Schur complement from those of the others.
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
  /// `kept` are the Schur variables of a matrix of that order. Throws UsageError if the numbers of columns differ.
  JoinedRows(Index order, std::span<const Index> kept, const DenseRows<const S>& b, const DenseRows<const S>& x2);
  [[nodiscard]] DenseRows<const S> view() const;

 private:
  std::vector<Index> rows_;
  DenseMatrix<S> values_;
};

/// All kept rows in the order of `kept`, each the sum of its `rows`; with `num_columns` columns.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> all_kept_rows(std::span<const Index> kept, const DenseRows<const S>& rows, Index num_columns);
/// The reverse: `all` has a row for each of `kept`.
template <Scalar S>
void copy_kept_rows(std::span<const Index> kept, DenseView<const S> all, const DenseRows<S>& to);

/// Throws UsageError unless all rows belong to kept variables.
void check_kept(std::span<const Index> rows, std::span<const Index> kept);

}  // namespace frond
