// SPDX-License-Identifier: BSD-3-Clause
// A system and its factors on MPI ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/rank_factorize.hpp"
#include "factorization/ranks/rank_report.hpp"
#include "frond/factorization.hpp"
#include "solver/course/system_backend.hpp"
#include "solver/course/system_course.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_complement.hpp"
#include "solver/distributed/mpi/rank_team.hpp"
#include "solver/distributed/ranks/solvable_system.hpp"
#include "solver/distributed/ranks/solve_program.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"

namespace frond {

/// One per rank; all calls are collective, and are made by the thread that made the object.
template <Scalar S>
class RankBackend final : public SystemBackend<S> {
 public:
  /// A system to be factorized under options other than its own.
  RankBackend(std::shared_ptr<const DistributedSystem<S>> system, SolverOptions options);
  explicit RankBackend(std::shared_ptr<const DistributedSystem<S>> system);

  /// A rank's part of loaded factors: full or lower ones.
  struct LoadedFactors {
    Mapping mapping;
    std::optional<RankFactors<S>> factors;
    std::optional<RankFactors<LowerOf<S>>> lower_factors;
  };

  /// The state includes the scales.
  void take(LoadedFactors loaded, FactorizationState<S> state);

  [[nodiscard]] const DistributedSystem<S>& system() const { return *system_; }
  [[nodiscard]] const std::shared_ptr<const DistributedSystem<S>>& shared_system() const { return system_; }
  [[nodiscard]] const Communicator& ranks() const { return system_->ranks(); }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] const std::optional<RankFactors<S>>& factors() const { return factors_; }
  [[nodiscard]] const std::optional<RankFactors<LowerOf<S>>>& lower_factors() const { return lower_factors_; }

  [[nodiscard]] const Team& team() const override { return team_; }
  [[nodiscard]] AnalysisParts analysis() const override { return system_->analysis(); }
  /// The number of columns is that of all blocks except empty ones.
  void with_sides(const DenseRows<const S>& b, const DenseRows<S>& x,
                  const std::function<void(const RankSides<S>& sides)>& work) override;
  [[nodiscard]] std::vector<Index> own_rows() const override;
  [[nodiscard]] std::vector<RankRunCounts> rank_counts() const override { return counts_; }
  [[nodiscard]] DenseMatrix<S> schur_complement(bool is_of_a) override { return complement().on_rank_0(is_of_a); }
  [[nodiscard]] SchurPart<S> schur_part(const SchurGrid& grid) override { return complement().part(grid, true); }
  [[nodiscard]] FactorOrder<S> factor_order() const override;
  [[nodiscard]] MatrixView<S> analysed() const override { return system_->analysed(); }

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
  [[nodiscard]] std::span<const RealOf<S>> unknown_scales(Operation operation) const override {
    return operation == Operation::plain ? this->state().scaling->cols : this->state().scaling->rows;
  }

  void sweep(const Sweep<S>& sweep, const RankSides<S>& sides) override;
  std::vector<ColumnReport> solve(Operation operation, const RankSides<S>& sides, SolvedColumns<S>& solved) override;
  void save(const SavedTarget& target) override;

 private:
  [[nodiscard]] RankFactorizationOptions options_of(const FactorizationWay& way, KeptFactors kept, bool flushes_subnormals) const;
  template <Scalar F>
  [[nodiscard]] RankFactorizationResult<F> factorize_values(const RankFactorizationOptions& options, Method method,
                                                            std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                                            std::span<const RealOf<F>> col_scaling,
                                                            const RankFrontPorts<F>& ports = {});
  /// The same with a checkpoint, if one was begun.
  template <Scalar F>
  [[nodiscard]] RankFactorizationResult<F> factorize_checkpointed(const RankFactorizationOptions& options, Method method,
                                                                  std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                                                  std::span<const RealOf<F>> col_scaling);
  [[nodiscard]] Mapping mapping_of(Method method) const;
  [[nodiscard]] RankComplement<S> complement() const;
  [[nodiscard]] Index agree_on_columns(const DenseRows<const S>& b, const DenseRows<S>& x) const;
  void run(const std::function<std::unique_ptr<SolveProgram<S>>()>& make);
  [[nodiscard]] SolvableSystem<S> solvable_system() const;
  [[nodiscard]] std::vector<ColumnReport> solve_and_measure(const SolvableSystem<S>& system, Operation operation,
                                                            std::span<const RealOf<S>> unknown_scales, const RankSides<S>& sides,
                                                            const RefinementOptions& refinement, SolvedColumns<S>& solved);

  std::shared_ptr<const DistributedSystem<S>> system_;
  RankTeam team_;
  std::unique_ptr<Channel> main_messages_;
  std::unique_ptr<Channel> control_;
  std::unique_ptr<Channel> load_;
  CountedChannel main_{*main_messages_};
  Mapping mapping_;
  std::optional<RankFactors<S>> factors_;
  std::optional<RankFactors<LowerOf<S>>> lower_factors_;  // in place of factors_
  std::vector<RankRunCounts> counts_;
};

/// The backend whose factors solve, if ranks factorized.
template <Scalar S>
[[nodiscard]] const RankBackend<S>& rank_backend_of(const Factorization<S>& factorization) {
  return static_cast<const RankBackend<S>&>(factorization.course().current().backend());
}

}  // namespace frond
