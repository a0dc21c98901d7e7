// SPDX-License-Identifier: BSD-3-Clause
// Computes the error of the equations of all eliminated variables.
#include "tools/program/solve/expansion.hpp"

#include <algorithm>
#include <vector>

#include "solver/numerics/accuracy/backward_error.hpp"

namespace frond {

template <Scalar S>
double expansion_error(const MatrixView<S>& matrix, Operation operation, std::span<const Index> kept, DenseMatrix<S> b,
                       const DenseMatrix<S>& x) {
  const BackwardErrorMeter<S> meter(matrix, operation);
  std::vector<S> product(static_cast<std::size_t>(x.num_rows));
  std::vector<S> residual(product.size());
  double largest = 0;
  for (Index j = 0; j < x.num_cols; ++j) {
    multiply<S>(matrix, operation, x.column(j), product);
    for (const Index variable : kept) {  // their equations hold by definition
      b(variable, j) = product[static_cast<std::size_t>(variable)];
    }
    largest = std::max(largest, meter.measure(b.column(j), x.column(j), residual).componentwise_backward_error);
  }
  return largest;
}

#define FROND_INSTANTIATE(S) \
  template double expansion_error(const MatrixView<S>&, Operation, std::span<const Index>, DenseMatrix<S>, const DenseMatrix<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
