// SPDX-License-Identifier: BSD-3-Clause
// Code that all solvers of the root share: the verdict on pivots, and how operations on A translate to the grid.
#include "factorization/root/root_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "factorization/kernels/magnitude.hpp"

namespace frond {

RootOutcome& RootOutcome::operator+=(const RootOutcome& other) {
  status = std::max(status, other.status);
  if (other.failed_pivot >= 0 && (failed_pivot < 0 || other.failed_pivot < failed_pivot)) {
    failed_pivot = other.failed_pivot;
  }
  if (std::pair(other.smallest_pivot, other.smallest_pivot_position) < std::pair(smallest_pivot, smallest_pivot_position)) {
    smallest_pivot = other.smallest_pivot;
    smallest_pivot_position = other.smallest_pivot_position;
  }
  determinant *= other.determinant;
  return *this;
}

template <Scalar S>
RootOutcome examine_pivots(Method method, RealOf<S> null_pivot, const RootPart<S>& part, Index num_pivots) {
  RootOutcome outcome;
  for (Index k = 0; k < num_pivots; ++k) {
    if (part.layout.owner(k, k) != part.position) {
      continue;
    }
    const S diagonal = part.entries[part.layout.offset(k, k)];
    const double magnitude = std::abs(diagonal);
    const double size = method == Method::cholesky ? magnitude * magnitude : magnitude;
    if (!(size > static_cast<double>(null_pivot))) {
      outcome.status = method == Method::cholesky ? RootStatus::not_positive_definite : RootStatus::rejected;
      outcome.failed_pivot = k;
      return outcome;
    }
    if (size < outcome.smallest_pivot) {
      outcome.smallest_pivot = size;
      outcome.smallest_pivot_position = k;
    }
    outcome.determinant *= Determinant(method == Method::cholesky ? std::complex<double>(size) : diagonal);
  }
  return outcome;
}

template <Scalar S>
RealOf<S> largest_pivot_entry(const RootPart<S>& part) {
  RealOf<S> largest = 0;
  const Index ld = part.layout.leading_dimension(part.position);
  const Index num_rows = part.layout.rows().local_size(part.position.row);
  for (Index j = 0; j < part.layout.cols().local_size(part.position.col); ++j) {
    const Index column = part.layout.cols().global(part.position.col, j);
    Index num_above = 0;  // rows increase with their places
    while (num_above < num_rows && part.layout.rows().global(part.position.row, num_above) <= column) {
      ++num_above;
    }
    largest = std::max(largest, max_magnitude(num_above, part.entries + static_cast<Count>(j) * ld));
  }
  return largest;
}

RootOutcome not_positive_definite_at(Index position) {
  RootOutcome outcome;
  outcome.status = RootStatus::not_positive_definite;
  outcome.failed_pivot = position;
  return outcome;
}

GridOperation grid_operation(Method method, Operation operation) {
  if (method == Method::lu) {
    return {operation == Operation::plain ? blas::Op::transpose : blas::Op::none, operation == Operation::adjoint};
  }
  return {blas::Op::none, operation == Operation::transposed};
}

RootTriangle first_triangle(Method method, blas::Op op_on_grid) {
  using blas::Diagonal, blas::Op, blas::Triangle;
  if (method == Method::cholesky) {
    return {Triangle::lower, Op::none, Diagonal::stored};
  }
  return op_on_grid == Op::none ? RootTriangle{Triangle::lower, Op::none, Diagonal::unit, true}
                                : RootTriangle{Triangle::upper, Op::transpose, Diagonal::stored};
}

RootTriangle second_triangle(Method method, blas::Op op_on_grid) {
  using blas::Diagonal, blas::Op, blas::Triangle;
  if (method == Method::cholesky) {
    return {Triangle::lower, Op::conjugate_transpose, Diagonal::stored};
  }
  return op_on_grid == Op::none ? RootTriangle{Triangle::upper, Op::none, Diagonal::stored}
                                : RootTriangle{Triangle::lower, Op::transpose, Diagonal::unit, false, true};
}

template <Scalar S>
void conjugate_entries(DenseView<S> b) {
  for (Index j = 0; j < b.cols; ++j) {
    std::transform(b.column(j), b.column(j) + b.rows, b.column(j), conjugate<S>);
  }
}

#define FROND_INSTANTIATE(S)                                                         \
  template RootOutcome examine_pivots(Method, RealOf<S>, const RootPart<S>&, Index); \
  template RealOf<S> largest_pivot_entry(const RootPart<S>&);                        \
  template void conjugate_entries(DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
