// SPDX-License-Identifier: BSD-3-Clause
// Implements the solver of C for one scalar type.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frond/factorization.hpp"
#include "interfaces/c/any_solver.hpp"

namespace frond {

/// Runs on this process alone; operations that differ over several processes are virtual.
template <Scalar S>
class SolverOf : public AnySolver {
 public:
  SolverOf();

  [[nodiscard]] const Team& team() const override { return alone_; }
  [[nodiscard]] std::vector<std::int64_t> of_all(std::int64_t mine) const override { return {mine}; }
  [[nodiscard]] SolverSettings& settings() override { return settings_; }
  void set_option(const char* name, const char* value) override;

  void set_pattern(const std::function<InputPattern()>& make, const void* values) override;
  void set_triplets(const std::function<TripletPattern()>& make, const void* values) override;
  void set_values(std::int64_t num_entries, const void* values) override;
  void set_order(const std::int32_t* order) override;
  void set_scales(const void* rows, const void* cols) override;
  void set_schur_variables(std::int32_t count, const std::int32_t* variables) override;

  void analyze() override;
  void factorize() override;
  void resume() override;
  void load(const char* path) override;
  void load(std::span<const std::byte> bytes) override;
  SolveReport solve_once(std::int32_t count, ConstColumns b, Columns x) override;
  std::vector<SolveReport> solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                       ConstColumns b, Columns x) override;

  [[nodiscard]] bool is_factorized() const override;

  [[nodiscard]] SolveReport solve(int operation, std::int32_t count, ConstColumns b, Columns x) const override;
  [[nodiscard]] SolveReport solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                         Columns x) const override;
  [[nodiscard]] SolveReport solve_rows(int operation, std::int32_t count, Rows b_rows, ConstColumns b, Rows x_rows,
                                       Columns x) const override;
  [[nodiscard]] std::vector<std::int32_t> own_rows() const override;
  [[nodiscard]] InverseOutcome inverse_diagonal(bool is_refined, void* diagonal) const override;
  [[nodiscard]] InverseOutcome inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const override;
  [[nodiscard]] Index null_space(int operation, std::int32_t capacity, Columns z) const override;
  [[nodiscard]] bool has_schur_complement() const override;
  void schur_complement(Columns s) const override;
  void condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const override;
  void expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const override;
  void solve_part(int part, int operation, std::int32_t count, Columns x) const override;
  void factor_order(const FactorOrderArrays& arrays) const override;
  void save(const char* path) const override;
  [[nodiscard]] std::vector<std::byte> save() const override;

  [[nodiscard]] FigureSources figure_sources() const override;

 protected:
  // Calls of C++ that differ over several processes. `matrix` is on the leader, and SystemMatrix<S>() elsewhere; the leader's paths
  // and bytes count.
  [[nodiscard]] virtual Analysis analyze_matrix(const SystemMatrix<S>& matrix, const SolverOptions& options) const;
  [[nodiscard]] virtual Analysis analyze_pattern_alone(const SolverOptions& options) const;
  [[nodiscard]] virtual Factorization<S> loaded(const std::string& path, const SystemMatrix<S>& matrix,
                                                const SolverOptions& options) const;
  [[nodiscard]] virtual Factorization<S> loaded(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                                const SolverOptions& options) const;
  [[nodiscard]] virtual Factorization<S> resumed(const SystemMatrix<S>& matrix, const SolverOptions& options) const;
  /// Rows of X, in the order of the factors.
  [[nodiscard]] virtual std::vector<Index> rows_of(const Factorization<S>& factorization) const;

  /// What all pass, concatenated, on the leader; nothing elsewhere. The order and the symmetry are the same everywhere.
  [[nodiscard]] virtual TripletPattern together(TripletPattern mine) const { return mine; }
  [[nodiscard]] virtual std::vector<S> together(std::span<const S> mine) const { return {mine.begin(), mine.end()}; }

  [[nodiscard]] const InputPattern& pattern() const;

 private:
  [[nodiscard]] bool leads() const { return this->team().leads(); }
  [[nodiscard]] Index order() const { return pattern().order(); }
  [[nodiscard]] Index schur_order() const;
  void take_pattern(InputPattern pattern, Count num_mine, bool has_values, std::span<const S> values);
  [[nodiscard]] std::shared_ptr<const std::vector<S>> arranged(const InputPattern& pattern, std::span<const S> mine) const;
  [[nodiscard]] SystemMatrix<S> system() const;
  [[nodiscard]] SystemMatrix<S> system_with(std::shared_ptr<const std::vector<S>> values) const;
  [[nodiscard]] SolverOptions solver_options() const;
  [[nodiscard]] const Analysis& analysis_for(const SystemMatrix<S>& matrix);
  [[nodiscard]] Analysis analysis_with_options(const SystemMatrix<S>& matrix);
  [[nodiscard]] std::vector<Index> variables(const std::int32_t* given, Index count, const char* name) const;
  [[nodiscard]] std::vector<Index> numbered(Rows rows, const char* name) const;
  /// Throw UsageError for columns of wrong sizes; null is allowed, and gives no columns, except on the leader.
  [[nodiscard]] DenseView<S> view(Columns columns, Index num_rows, std::int32_t count, const char* name) const;
  [[nodiscard]] DenseView<const S> view(ConstColumns columns, Index num_rows, std::int32_t count, const char* name) const;
  /// The same for arrays that count on the leader only.
  [[nodiscard]] DenseView<const S> led_view(ConstColumns columns, Index num_rows, std::int32_t count, const char* name) const;
  void forget_analysis();
  void forget_factors();
  void keep(Factorization<S> factorization);

  Alone alone_;
  SolverSettings settings_;
  std::shared_ptr<const InputPattern> pattern_;   // null: not set
  Count num_mine_ = 0;                            // values that this process passes for it
  std::shared_ptr<const std::vector<S>> values_;  // null: not set; empty if other processes have them
  std::vector<Index> order_;                      // elimination order; empty: chosen
  std::vector<Index> schur_variables_;
  std::shared_ptr<const GivenScales> scales_;  // null: chosen

  std::optional<Analysis> analysis_;
  std::optional<Factorization<S>> factorization_;  // of the current matrix
  std::optional<SystemReport> once_;               // of a solve during a factorization
};

}  // namespace frond
