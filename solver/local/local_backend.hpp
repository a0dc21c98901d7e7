// SPDX-License-Identifier: BSD-3-Clause
// A system and its factors in this process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "factorization/factorize.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_backend.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"

namespace frond {

/// Sides hold all rows, in their order, whatever row numbers they name. The caller chooses the threads by on_threads().
template <Scalar S>
class LocalBackend final : public SystemBackend<S> {
 public:
  /// A system to be factorized; the arrays of `matrix` must outlive this object. Throws UsageError and MemoryError as Factorization
  /// does.
  LocalBackend(const AnalysisParts& analysis, const SystemMatrix<S>& matrix);

  /// A system with loaded factors, full or lower ones, of a matrix that lacks `num_missing` of the analysed entries.
  LocalBackend(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options, Count num_missing,
               FactorizationState<S> state, std::optional<Factors<S>> factors, std::optional<LowerFactors<S>> lower_factors);

  [[nodiscard]] Count num_missing() const { return num_missing_; }  ///< entries of the analysed pattern
  [[nodiscard]] const std::optional<Factors<S>>& factors() const { return factors_; }
  [[nodiscard]] const std::optional<LowerFactors<S>>& lower_factors() const { return lower_factors_; }

  [[nodiscard]] const Team& team() const override { return alone_; }
  [[nodiscard]] AnalysisParts analysis() const override;
  void with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                  const std::function<void(const RankSides<S>& sides)>& work) override;
  [[nodiscard]] std::vector<Index> own_rows() const override { return all_rows(this->symbolic().order()); }
  [[nodiscard]] std::vector<RankRunCounts> rank_counts() const override;
  [[nodiscard]] DenseMatrix<S> schur_complement(bool is_of_a) override;
  [[nodiscard]] SchurPart<S> schur_part(const SchurGrid& grid) override;
  [[nodiscard]] FactorOrder<S> factor_order() const override;
  [[nodiscard]] MatrixView<S> analysed() const override { return analysed_->view(); }
  void release_analysed() override;

  FactorizationReport factorize(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, KeptFactors kept) override;
  FactorizationReport factorize_lower(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling) override;
  [[nodiscard]] bool has_factors() const override { return factors_.has_value(); }
  [[nodiscard]] bool has_lower_factors() const override { return lower_factors_.has_value(); }
  void release_factors() override;
  std::vector<ColumnReport> factorize_and_solve(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling,
                                                const RankSides<S>& sides,
                                                const std::function<bool(const FactorizationReport&)>& wants_solution) override;
  [[nodiscard]] bool fits(Method method, KeptFactors kept) override;
  void analyse_as_a_whole() override;
  [[nodiscard]] std::unique_ptr<SystemBackend<S>> with_options(SolverOptions options, bool is_new) const override;
  [[nodiscard]] std::span<const RealOf<S>> unknown_scales(Operation operation) const override;

  void sweep(const Sweep<S>& sweep, const RankSides<S>& sides) override;
  std::vector<ColumnReport> solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) override;
  [[nodiscard]] bool find_entries(Operation operation, const PatternView& pattern, std::span<const InverseBlock> blocks,
                                  std::span<S> values) override;
  void save(const SavedTarget& target) override;

 private:
  LocalBackend(AnalysedSystem<S> system, SolverOptions options);

  template <Scalar F>
  [[nodiscard]] FactorizationResult<F> factorize_values(const FactorizationWay& way, std::span<const F> values,
                                                        std::vector<RealOf<F>> rows, std::vector<RealOf<F>> cols,
                                                        const FactorizationRunOptions& options);
  template <Scalar F>
  [[nodiscard]] FactorizationRunOptions options_of(const FactorizationWay& way) const;
  void solve_with_all_levels(const Sweep<S>& sweep) const;
  void solve_with_level(Index level, const Sweep<S>& sweep) const;
  [[nodiscard]] bool needs_couplings(const PatternView& pattern) const;
  [[nodiscard]] bool eliminate_and_solve(const FactorizationWay& way, const Scaling<RealOf<S>>& scaling, const RankSides<S>& sides,
                                         const std::function<bool(const FactorizationReport&)>& wants_solution);
  [[nodiscard]] std::vector<ColumnReport> measure(const Scaling<RealOf<S>>& scaling, DenseView<const S> b, DenseView<S> x) const;

  SolvePlan plan_;
  std::optional<AnalysedMatrix<S>> analysed_;
  Count num_missing_;
  std::optional<Factors<S>> factors_;
  std::optional<LowerFactors<S>> lower_factors_;  // in place of factors_
  Alone alone_;
};

}  // namespace frond
