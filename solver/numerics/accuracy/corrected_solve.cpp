// SPDX-License-Identifier: BSD-3-Clause
// Refines the right-hand sides of estimates.
#include "solver/numerics/accuracy/corrected_solve.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

namespace frond {

template <Scalar S>
CorrectedSolve<S>::CorrectedSolve(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                  std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve)
    : matrix_(matrix), row_scaling_(row_scaling), col_scaling_(col_scaling), solve_(solve) {}

template <Scalar S>
void CorrectedSolve<S>::solve(const Sweep<S>& sweep) {
  for (Index j = 0; j < sweep.x.cols; ++j) {
    solve_column(sweep.of(sweep.x.columns(j, j + 1)));
  }
}

// The largest scaled magnitude.
template <Scalar S>
double CorrectedSolve<S>::size(Operation operation, std::span<const S> equations) const {
  const std::span<const RealOf<S>> scaling = operation == Operation::plain ? row_scaling_ : col_scaling_;
  RealOf<S> largest = 0;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const RealOf<S> magnitude = std::abs(equations[i]) * (scaling.empty() ? RealOf<S>(1) : scaling[i]);
    largest = magnitude <= largest ? largest : magnitude;  // keeps NaN
  }
  return static_cast<double>(largest);
}

template <Scalar S>
void CorrectedSolve<S>::solve_column(const Sweep<S>& column) {
  const Operation operation = column.operation;
  const Index n = column.x.rows;
  const std::span<S> x(column.x.data, static_cast<std::size_t>(n));
  right_side_.assign(x.begin(), x.end());
  residual_.resize(x.size());
  const double wanted = kTarget * size(operation, right_side_);
  solve_(column);
  for (int step = 0;; ++step) {
    multiply<S>(matrix_, operation, x, residual_);
    std::transform(right_side_.begin(), right_side_.end(), residual_.begin(), residual_.begin(), std::minus<>());
    if (size(operation, residual_) <= wanted) {
      return;
    }
    if (step == kMostSteps) {
      is_trusted_ = false;
      return;
    }
    solve_(column.of({residual_.data(), n, 1, n}));
    std::transform(x.begin(), x.end(), residual_.begin(), x.begin(), std::plus<>());
  }
}

template <Scalar S>
ConditionEstimate estimate_corrected_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                               std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve) {
  CorrectedSolve<S> corrected(matrix, row_scaling, col_scaling, solve);
  const double condition = estimate_scaled_condition<S>(matrix, row_scaling, col_scaling, corrected.as_function());
  return {condition, corrected.is_trusted()};
}

FROND_INSTANTIATE_CLASS(CorrectedSolve)
#define FROND_INSTANTIATE(S)                                                                                \
  template ConditionEstimate estimate_corrected_condition(const MatrixView<S>&, std::span<const RealOf<S>>, \
                                                          std::span<const RealOf<S>>, const SolveInPlace<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
