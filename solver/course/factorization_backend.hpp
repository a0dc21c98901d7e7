// SPDX-License-Identifier: BSD-3-Clause
// What the course of a factorization works with.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "analysis/options/kept_factors.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/fronts/report.hpp"
#include "matrices/sparse_matrix.hpp"
#include "solver/course/team.hpp"
#include "solver/problem/options.hpp"
#include "solver/problem/report.hpp"
#include "solver/scaling/scaling.hpp"
#include "solver/sweeps/block_substitution.hpp"
#include "solver/sweeps/schur_use.hpp"
#include "solver/sweeps/solve_plan.hpp"
#include "solver/sweeps/sweep_part.hpp"
#include "solver/verdict/proof_search.hpp"

namespace frond {

/// What the course comes to, beside the factors; the same everywhere.
template <Scalar S>
struct FactorizationState {
  SystemReport report = {};
  KeptFactors kept = KeptFactors::all;          ///< what of the factors is to stay
  FactorizationWay way = {};                    ///< on which the factors were made, or are
  Scaling<RealOf<S>> scaling = {};              ///< with which they were made
  std::optional<CoupledLevels<S>> levels = {};  ///< beside factors of the levels of a block triangular form
};

/// The levels of the block triangular form that was analysed, where the matrix splits; `values` are those of the analysed entries.
template <Scalar S>
[[nodiscard]] std::optional<CoupledLevels<S>> levels_of(const Symbolic& symbolic, std::span<const S> values) {
  std::optional<CoupledLevels<S>> levels;
  if (symbolic.blocks().splits()) {
    levels.emplace(symbolic, SolvePlan(symbolic.tree()), values);
  }
  return levels;
}

/// A system and its factors, in one process or spread over ranks. All calls are collective, and what they return or throw is the
/// same everywhere.
template <Scalar S>
class FactorizationBackend {
 public:
  FactorizationBackend() = default;
  FactorizationBackend(const FactorizationBackend&) = delete;
  FactorizationBackend& operator=(const FactorizationBackend&) = delete;
  virtual ~FactorizationBackend() = default;

  [[nodiscard]] virtual const Team& team() const = 0;
  [[nodiscard]] virtual const SolverOptions& options() const = 0;
  [[nodiscard]] virtual const Symbolic& symbolic() const = 0;
  [[nodiscard]] virtual Method method() const = 0;           ///< chosen for the system
  [[nodiscard]] virtual MatrixView<S> analysed() const = 0;  ///< the matrix in the order of its analysis

  /// Makes factors of the scaled matrix, of which `kept` are kept. Those that there were are gone, whatever it throws: MemoryError,
  /// BudgetError.
  virtual FactorizationReport factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) = 0;
  /// The same in lower precision; there are no factors unless it succeeds.
  virtual FactorizationReport factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) = 0;
  [[nodiscard]] virtual bool has_factors() const = 0;
  [[nodiscard]] virtual bool has_lower_factors() const = 0;
  virtual void release_factors() = 0;  ///< of either precision

  /// Whether the factorization fits the memory limit as long as no pivot is delayed.
  [[nodiscard]] virtual bool fits(Method method, KeptFactors kept) = 0;

  /// Calls work(solve) where the team is led, with solves in which all take part: X := a part of op(A)^-1 X. Where the factors
  /// leave a Schur complement, `use` says what is solved; to expand, X has zeros for x2.
  virtual void lead(const std::function<void(const SolvePart<S>& solve)>& work, SchurUse use) = 0;

  /// Analyses the matrix once more, without taking it apart.
  virtual void analyse_as_a_whole() = 0;
};

}  // namespace frond
