// SPDX-License-Identifier: BSD-3-Clause
// Separates the rows of the variables kept for a Schur complement from those of the others.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond {

/// Right-hand sides of block 1 and the solution of block 2, as one block of rows, increasing.
template <Scalar S>
class JoinedRows {
 public:
  /// `kept` are the Schur variables of a matrix of that order. Throws UsageError if the numbers of columns differ.
  JoinedRows(Index order, std::span<const Index> kept, const DenseRows<const S>& b, const DenseRows<const S>& x2);
  [[nodiscard]] DenseRows<const S> view() const { return {rows_, view_of(values_)}; }

 private:
  std::vector<Index> rows_;
  DenseMatrix<S> values_;
};

/// Throws UsageError unless all rows, which the matrix of that order has, belong to kept variables.
void check_kept(Index order, std::span<const Index> rows, std::span<const Index> kept);

}  // namespace frond
