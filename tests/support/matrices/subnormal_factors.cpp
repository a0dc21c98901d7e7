// SPDX-License-Identifier: BSD-3-Clause
// Builds a weakly coupled grid, and counts subnormals over all fronts.
#include "tests/support/matrices/subnormal_factors.hpp"

#include <cmath>

#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::test {

SparseMatrix<double> weakly_coupled_grid() {
  SparseMatrix<double> a = grid_matrix<double>(Symmetry::symmetric, 9, 8, 7, Values::dominant, 1);
  testing::for_each_entry(a, [](Index i, Index j, double& value) { value = i == j ? 1 : 1e-155; });
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
