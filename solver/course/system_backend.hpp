// SPDX-License-Identifier: BSD-3-Clause
// The interface between courses and a system with its factors, in one process or distributed over ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/ranks/rank_report.hpp"
#include "frond/analysis_options.hpp"
#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/checkpoint_attempt.hpp"
#include "solver/course/solved_columns.hpp"
#include "solver/course/team.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/problem/system_matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/schur/schur_factor.hpp"
#include "solver/numerics/sweeps/block_substitution.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "solver/numerics/sweeps/sweep.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"
#include "solver/storage/saved/saved_file.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// Results of the course other than the factors; the same everywhere.
template <Scalar S>
struct FactorizationState {
  SystemReport report = {};
  KeptFactors kept = KeptFactors::all;  ///< which factors are to be kept
  FactorizationWay way = {};            ///< on which the factors are, or are being, made
  /// The scaling of the factors; never null.
  std::shared_ptr<const Scaling<RealOf<S>>> scaling = std::make_shared<const Scaling<RealOf<S>>>();
  PivotTolerances<RealOf<S>> schur_tolerances = {};  ///< of the matrix whose Schur complement the factors leave
  std::optional<CoupledLevels<S>> levels = {};       ///< with factors of the levels of a block triangular form
};

/// The levels of the analysed block triangular form, if the matrix splits; `values` are those of the analysed entries.
template <Scalar S>
[[nodiscard]] std::optional<CoupledLevels<S>> levels_of(const Symbolic& symbolic, std::span<const S> values) {
  std::optional<CoupledLevels<S>> levels;
  if (symbolic.blocks().splits()) {
    levels.emplace(symbolic, SolvePlan(symbolic.tree()), values);
  }
  return levels;
}

/// What is solved.
template <Scalar S>
struct AnalysedSystem {
  std::shared_ptr<const Symbolic> symbolic;
  SystemMatrix<S> matrix;    ///< as it was given; everywhere
  Method method;             ///< chosen for it
  FoundScales known_scales;  ///< from the analysis; after a factorization, what may serve other values
};

/// All non-const calls are collective, and return and throw the same everywhere; so do const ones, unless they concern a column of
/// a solve. If a team has callers side by side, solves may run concurrently.
template <Scalar S>
class SystemBackend {
 public:
  /// `options` are those in effect.
  SystemBackend(AnalysedSystem<S> system, SolverOptions options) : system_(std::move(system)), options_(std::move(options)) {
    state_.kept = options_.factorization.kept;
  }
  SystemBackend(const SystemBackend&) = delete;
  SystemBackend& operator=(const SystemBackend&) = delete;
  virtual ~SystemBackend() = default;

  [[nodiscard]] const SolverOptions& options() const { return options_; }
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds) {
    options_.refinement = refinement;
    options_.error_bounds = error_bounds;
  }
  [[nodiscard]] FactorizationState<S>& state() { return state_; }  ///< written by the course
  [[nodiscard]] const FactorizationState<S>& state() const { return state_; }
  [[nodiscard]] const SystemReport& report() const { return state_.report; }

  [[nodiscard]] const Symbolic& symbolic() const { return *system_.symbolic; }
  [[nodiscard]] const std::shared_ptr<const Symbolic>& shared_symbolic() const { return system_.symbolic; }
  [[nodiscard]] const SystemMatrix<S>& matrix() const { return system_.matrix; }
  [[nodiscard]] Method method() const { return system_.method; }
  [[nodiscard]] const FoundScales& known_scales() const { return system_.known_scales; }
  void set_known_scales(const FoundScales& scales) { system_.known_scales = scales; }
  /// Those that were found for these values.
  [[nodiscard]] FoundScales own_scales() const { return known_scales().are_kept() ? FoundScales() : known_scales(); }

  [[nodiscard]] virtual const Team& team() const = 0;
  [[nodiscard]] virtual AnalysisParts analysis() const = 0;  ///< for other matrices
  [[nodiscard]] int num_threads() const { return options().factorization.num_threads; }
  /// The matrix in the order of its analysis; available until it is released.
  [[nodiscard]] virtual MatrixView<S> analysed() const = 0;
  virtual void release_analysed() {}

  [[nodiscard]] bool keeps_schur_complement() const { return symbolic().schur_order() > 0; }
  [[nodiscard]] bool has_schur_complement() const {
    return has_factors() && report().factorization.status == FactorizationStatus::success;
  }
  /// Whether the factors are those of a matrix near A, with rounded entries or perturbed pivots.
  [[nodiscard]] bool has_neighbours_factors() const {
    return has_lower_factors() || report().factorization.num_perturbed_pivots > 0;
  }

  /// Computes factors of the scaled matrix, and keeps `kept` of them. Previous factors are gone even if it throws: MemoryError,
  /// BudgetError.
  virtual FactorizationReport factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) = 0;
  /// The same in lower precision; there are no factors unless it succeeds.
  virtual FactorizationReport factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) = 0;
  [[nodiscard]] virtual bool has_factors() const = 0;
  [[nodiscard]] virtual bool has_lower_factors() const = 0;
  virtual void release_factors() = 0;  ///< of either precision

  /// Factorizes and eliminates B at the same time, keeping what the backward sweep reads; if wants_solution(report), computes X
  /// without refinement. Returns the errors of X, or nothing.
  virtual std::vector<ColumnReport> factorize_and_solve(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling,
                                                        const RankSides<S>& sides,
                                                        const std::function<bool(const FactorizationReport&)>& wants_solution) = 0;

  /// Whether the factorization fits the memory limit as long as no pivot is delayed.
  [[nodiscard]] virtual bool fits(Method method, KeptFactors kept) = 0;
  /// Analyses the matrix again, without splitting it.
  virtual void analyse_as_a_whole() = 0;

  /// The same system under other options, not factorized; with the same analysis, or, if it `is_new`, with one under these options.
  [[nodiscard]] virtual std::unique_ptr<SystemBackend> with_options(SolverOptions options, bool is_new) const = 0;

  /// The scales of the existing factors: those of the unknowns of op(A).
  [[nodiscard]] virtual std::span<const RealOf<S>> unknown_scales(Operation operation) const = 0;
  [[nodiscard]] std::span<const RealOf<S>> row_scaling() const { return unknown_scales(Operation::transposed); }
  [[nodiscard]] std::span<const RealOf<S>> col_scaling() const { return unknown_scales(Operation::plain); }

  /// Calls work(sides) for rows that any rank may pass or request, see Factorization::solve_rows(). Throws UsageError.
  virtual void with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                          const std::function<void(const RankSides<S>& sides)>& work) = 0;

  /// The rows of X that this process owns, see Factorization::own_rows().
  [[nodiscard]] virtual std::vector<Index> own_rows() const = 0;
  /// What each rank did in the last factorization; the same everywhere.
  [[nodiscard]] virtual std::vector<RankRunCounts> rank_counts() const = 0;

  /// The Schur complement, of A or as it is stored, on the leader.
  [[nodiscard]] virtual DenseMatrix<S> schur_complement(bool is_of_a) = 0;
  [[nodiscard]] virtual SchurPart<S> schur_part(const SchurGrid& grid) = 0;  ///< see Factorization
  [[nodiscard]] virtual FactorOrder<S> factor_order() const = 0;

  // Solves, with op(A) as A is stored.

  /// Solves without refinement for any rows, in place of those of `sweep`, which is otherwise the same everywhere; wanted rows are
  /// on the leader.
  virtual void sweep(const Sweep<S>& sweep, const RankSides<S>& sides) = 0;

  /// Solves op(A) X = B with refinement; one report per column. On the leader `solved` gets the first columns, as many as it wants.
  virtual std::vector<ColumnReport> solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) = 0;

  /// Computes entries of op(A)^-1 from the factors alone into their places in `values`. Pattern, blocks and values are on the
  /// leader. Returns false, the same everywhere, if that is impossible for this pattern. Fronts that receive only zeros do nothing,
  /// and the backward sweep visits those that lead to wanted entries.
  [[nodiscard]] virtual bool find_entries(Operation operation, const PatternView& pattern, std::span<const InverseBlock> blocks,
                                          std::span<S> values);

  // Made of these:

  /// Calls work(solve) on the leader, with solves in which all take part.
  void lead(const std::function<void(const SolveInPlace<S>& solve)>& work);

  /// Calls work(operation, sides) for op(A) of the user's A, with conjugates where these solve for it.
  template <class Work>
  void as_stored(Operation operation, const RankSides<S>& sides, const Work& work) {
    const StoredOperation stored = stored_operation(matrix().transposed, operation);
    if (!stored.conjugated) {
      work(stored.operation, sides);
      return;
    }
    DenseMatrix<S> conjugate_b;
    team().agree([&] { conjugate_b = conjugated_copy(sides.b.values); });
    work(stored.operation, RankSides<S>{{sides.b.rows, view_of(std::as_const(conjugate_b))}, sides.x, sides.num_columns});
    conjugate_entries(sides.x.values);
  }

  /// Solves without refinement for the user's A; NaN where there is no Schur complement, even one of no variables.
  void sweep_rows(SchurUse use, Operation operation, const DenseRows<const S>& b, const DenseRows<S>& x);

  /// Sets its factors, with which solves solve for all of A from then on; on the leader, null elsewhere.
  void take_schur_factor(std::unique_ptr<SchurFactor<S>> factor) { schur_factor_ = std::move(factor); }

  /// Writes factors, analysis and report.
  virtual void save(const SavedTarget& target) = 0;
  /// What a file says of the system; `values` are those that were analysed.
  [[nodiscard]] SavedSystem described(std::span<const S> values, SystemReport report) const {
    return {kSavedScalar<S>, matrix().stored.pattern.symmetry, values_hash<S>(values), team().size(), std::move(report)};
  }

  /// From now on factorizations that keep all factors store their fronts in the checkpoint that the leader's options request, if
  /// any: in an opened directory or, if that is null, a new one. Throws UsageError for options that a checkpoint excludes, and if
  /// one of the team does not see the directory; also what CheckpointDirectory::begin() throws.
  void begin_checkpoint(std::shared_ptr<CheckpointDirectory> opened);

 protected:
  [[nodiscard]] const SchurFactor<S>* schur_factor() const { return schur_factor_.get(); }
  [[nodiscard]] SolverOptions& mutable_options() { return options_; }
  [[nodiscard]] AnalysedSystem<S>& mutable_system() { return system_; }
  [[nodiscard]] const std::optional<Checkpoint>& checkpoint() const { return checkpoint_; }
  void continue_checkpoint_of(const SystemBackend& other) { checkpoint_ = other.checkpoint_; }

 private:
  AnalysedSystem<S> system_;
  SolverOptions options_;
  FactorizationState<S> state_;
  std::unique_ptr<SchurFactor<S>> schur_factor_;
  std::optional<Checkpoint> checkpoint_;
};

}  // namespace frond
