// SPDX-License-Identifier: BSD-3-Clause
// Applies the inverse of a matrix when only the factors of a nearby matrix are available.
#pragma once

#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/accuracy/condition.hpp"

namespace frond {

/// Solves with A by factors of A + E, in lower precision or with perturbed pivots, and steps of refinement. Estimates of ||A^-1||
/// need that: the factors alone give (A + E)^-1, whose norm saturates at 1 / ||E|| however close A is to a singular matrix.
/// Residuals of generic right-hand sides fall by about ||E|| ||A^-1|| a step; if they do not fall, nothing can be said about A^-1.
template <Scalar S>
class CorrectedSolve {
 public:
  /// Equations of A are compared with row_scaling, those of A^T and A^H with col_scaling; empty: unscaled. Referenced objects must
  /// outlive this object.
  CorrectedSolve(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling, std::span<const RealOf<S>> col_scaling,
                 const SolveInPlace<S>& solve);

  /// Solves whole sweeps column by column; with an error of about kTarget if is_trusted().
  void solve(const Sweep<S>& sweep);
  [[nodiscard]] SolveInPlace<S> as_function() {
    return [this](const Sweep<S>& sweep) { solve(sweep); };
  }

  /// Whether the residuals of all solves so far have fallen below kTarget of their right-hand sides.
  [[nodiscard]] bool is_trusted() const { return is_trusted_; }

 private:
  // For a singular matrix the residual keeps its component along the null vector, of order 1 / sqrt(n) for an unrelated vector.
  static constexpr double kTarget = 1e-4;
  static constexpr int kMostSteps = 5;

  [[nodiscard]] double size(Operation operation, std::span<const S> equations) const;
  void solve_column(const Sweep<S>& column);

  MatrixView<S> matrix_;
  std::span<const RealOf<S>> row_scaling_;
  std::span<const RealOf<S>> col_scaling_;
  const SolveInPlace<S>& solve_;
  bool is_trusted_ = true;
  std::vector<S> right_side_;
  std::vector<S> residual_;
};

/// The result of an estimate from such solves.
template <class T>
struct Estimated {
  T value{};
  bool is_trusted = true;
};

/// estimate_scaled_condition() with such solves.
template <Scalar S>
[[nodiscard]] ConditionEstimate estimate_corrected_condition(const MatrixView<S>& matrix, std::span<const RealOf<S>> row_scaling,
                                                             std::span<const RealOf<S>> col_scaling, const SolveInPlace<S>& solve);

}  // namespace frond
