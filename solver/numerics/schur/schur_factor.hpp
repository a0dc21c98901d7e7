// SPDX-License-Identifier: BSD-3-Clause
// Factorizes a Schur complement as a dense matrix, so that the whole system can be solved.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "factorization/kernels/front_factor.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "frond/dense.hpp"
#include "frond/factorization_report.hpp"
#include "matrices/products.hpp"

namespace frond {

/// How a Schur complement is factorized.
template <Scalar S>
struct SchurFactorOptions {
  Method method = Method::lu;          ///< to be tried first
  std::optional<Method> fallback;      ///< if Cholesky fails; empty: report the failure
  std::vector<RealOf<S>> row_scaling;  ///< [k] of row k; both empty: unscaled
  std::vector<RealOf<S>> col_scaling;
  PivotTolerances<RealOf<S>> tolerances;  ///< of the scaled matrix that the complement belongs to
  RealOf<S> relative_null = 0;            ///< pivots below this fraction of the complement's largest entry are null, too
  int num_threads = 1;
};

/// Dense factors of S, computed by the kernels of fronts with S as the front of a root. Immutable; any number of threads may solve
/// with them.
template <Scalar S>
class SchurFactor {
 public:
  /// Results do not depend on the number of threads. Throws std::bad_alloc.
  SchurFactor(const DenseMatrix<S>& complement, SchurFactorOptions<S> options);
  SchurFactor(const SchurFactor&) = delete;
  SchurFactor& operator=(const SchurFactor&) = delete;

  [[nodiscard]] FactorizationStatus status() const { return status_; }
  /// Rows of S without a usable pivot, increasing; for Cholesky, the row whose pivot is not positive.
  [[nodiscard]] const std::vector<Index>& null_rows() const { return null_rows_; }

  /// X := op(S)^-1 X as far as S has pivots: without one, X is 0. Not to be called if S is not positive definite.
  void solve(Operation operation, DenseView<S> x) const;

  /// The same where row k of S is row variables[k] of X.
  void solve_rows(std::span<const Index> variables, Operation operation, DenseView<S> x) const;

 private:
  void factorize(const DenseMatrix<S>& complement, Method method);
  [[nodiscard]] RealOf<S> load(const DenseMatrix<S>& complement);
  [[nodiscard]] PivotCounts eliminate(PivotTolerances<RealOf<S>> tolerances);

  SchurFactorOptions<S> options_;
  Method method_ = Method::lu;  // of the factors
  FrontFactor<S> front_;        // of the vectors below
  std::vector<S> lower_;
  std::vector<S> d_;
  std::vector<PivotKind> pivots_;
  std::vector<Index> row_variables_;  // [position] = row of S
  std::vector<Index> col_variables_;
  FactorizationStatus status_ = FactorizationStatus::success;
  std::vector<Index> null_rows_;
};

/// Combines the report on A11 with the outcome of S, whose rows have the original numbers `variables`: status and null pivots.
[[nodiscard]] FactorizationReport with_schur_factor(FactorizationReport interior, FactorizationStatus status,
                                                    std::span<const Index> null_rows, std::span<const Index> variables);

}  // namespace frond
