// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a matrix of which there are factors of a neighbour only.
#pragma once

#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// Solves with A by factors of A + E, in lower precision or with perturbed pivots, and steps of refinement. Estimates of ||A^-1||
/// need that: what the factors alone tell is (A + E)^-1, whose norm ends at 1 / ||E|| however close A is to a singular matrix.
/// Residuals of right-hand sides that nobody has chosen for A fall by some ||E|| ||A^-1|| a step; where they do not fall, nothing
/// can be said of A^-1.
template <Scalar S>
class CorrectedSolve {
 public:
  /// Equations of A are compared with row_scaling, those of A^T and A^H with col_scaling; empty: as they are. What is referred to
  /// outlives this object.
  CorrectedSolve(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling, std::span<const RealOf<S>> col_scaling,
                 const SolveInPlace<S>& solve);

  /// X := op(A)^-1 X, column by column; to about kTarget of it where is_trusted().
  void solve(Operation operation, DenseView<S> x);
  [[nodiscard]] SolveInPlace<S> as_function() {
    return [this](Operation operation, DenseView<S> x) { solve(operation, x); };
  }

  /// Whether the residuals of all solves so far have fallen below kTarget of their right-hand sides.
  [[nodiscard]] bool is_trusted() const { return is_trusted_; }

 private:
  // Of a singular matrix a residual keeps its part along the null vector, of the order of 1 / sqrt(n) for a vector that has nothing
  // to do with it.
  static constexpr double kTarget = 1e-4;
  static constexpr int kMostSteps = 5;

  [[nodiscard]] double size(Operation operation, std::span<const S> equations) const;
  void solve_column(Operation operation, std::span<S> x);

  MatrixView<S> matrix_;
  std::span<const RealOf<S>> row_scaling_;
  std::span<const RealOf<S>> col_scaling_;
  const SolveInPlace<S>& solve_;
  bool is_trusted_ = true;
  std::vector<S> right_side_;
  std::vector<S> residual_;
};

/// What was estimated by such solves.
template <class T>
struct Estimated {
  T value{};
  bool is_trusted = true;
};

/// estimate_scaled_condition() by such solves.
template <Scalar S>
[[nodiscard]] ConditionEstimate estimate_corrected_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                                             std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve);

}  // namespace frond
