// SPDX-License-Identifier: BSD-3-Clause
// Builds a weakly coupled grid, and counts subnormals over all fronts.
#include "tests/support/matrices/subnormal_factors.hpp"

#include <cmath>

#include "tests/support/matrices/sparse_problems.hpp"

namespace frond::test {

SparseMatrix<double> weakly_coupled_grid() {
  SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 9, 8, 7, Values::dominant, 1);
  for (Index j = 0; j < a.num_cols; ++j) {
    for (auto k = static_cast<std::size_t>(a.column_offsets[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(a.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      a.values[k] = a.row_indices[k] == j ? 1 : 1e-155;
    }
  }
  return a;
}

Count num_subnormals(const Factors<double>& factors) {
  Count count = 0;
  for (NodeId node = 0; node < factors.symbolic().tree().num_nodes(); ++node) {
    const FrontFactor<double>& front = factors.front(node);
    for (Index j = 0; j < front.num_eliminated; ++j) {
      const double* column = front.lower + front.layout.column_offset(j);
      for (Index i = j; i < front.layout.order; ++i) {
        count += std::fpclassify(column[i]) == FP_SUBNORMAL ? 1 : 0;
      }
    }
  }
  return count;
}

}  // namespace frond::test
