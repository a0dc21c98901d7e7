// SPDX-License-Identifier: BSD-3-Clause
// A system of one kind of numbers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frond/factorization.hpp"
#include "interfaces/c/any_solver.hpp"

namespace frond {

template <Scalar S>
class SolverOf final : public AnySolver {
 public:
  SolverOf();

  [[nodiscard]] SolverSettings& settings() override { return settings_; }
  void set_option(std::string_view name, std::string_view value) override;

  void set_pattern(InputPattern pattern, const void* values) override;
  void set_values(std::int64_t num_entries, const void* values) override;
  void set_order(const std::int32_t* order) override;
  void set_scales(const void* rows, const void* cols) override;
  void set_schur_variables(std::int32_t count, const std::int32_t* variables) override;

  void analyze() override;
  void factorize() override;
  void resume() override;
  void load(const std::string& path) override;
  void load(std::span<const std::byte> bytes) override;
  SolveReport solve_once(std::int32_t count, ConstColumns b, Columns x) override;
  std::vector<SolveReport> solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                       ConstColumns b, Columns x) override;

  [[nodiscard]] bool is_factorized() const override;

  [[nodiscard]] SolveReport solve(int operation, std::int32_t count, ConstColumns b, Columns x) const override;
  [[nodiscard]] SolveReport solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                         Columns x) const override;
  [[nodiscard]] InverseOutcome inverse_diagonal(bool is_refined, void* diagonal) const override;
  [[nodiscard]] InverseOutcome inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const override;
  [[nodiscard]] Index null_space(int operation, std::int32_t capacity, Columns z) const override;
  void schur_complement(Columns s) const override;
  void condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const override;
  void expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const override;
  void solve_part(int part, int operation, std::int32_t count, Columns x) const override;
  void factor_order(const FactorOrderArrays& arrays) const override;
  void save(const std::string& path) const override;
  [[nodiscard]] std::vector<std::byte> save() const override;

  [[nodiscard]] FigureSources figure_sources() const override;

 private:
  [[nodiscard]] const InputPattern& pattern() const;
  [[nodiscard]] Index order() const { return pattern().order(); }
  [[nodiscard]] Index schur_order() const;
  [[nodiscard]] SystemMatrix<S> system() const;
  [[nodiscard]] SystemMatrix<S> system_with(std::shared_ptr<const std::vector<S>> values) const;
  [[nodiscard]] SolverOptions solver_options() const;
  [[nodiscard]] const Analysis& analysis_for(const SystemMatrix<S>& matrix);
  [[nodiscard]] std::vector<Index> variables(const std::int32_t* given, Index count, const char* name) const;
  [[nodiscard]] DenseView<S> view(Columns columns, Index num_rows, std::int32_t count, const char* name) const;
  [[nodiscard]] DenseView<const S> view(ConstColumns columns, Index num_rows, std::int32_t count, const char* name) const;
  void forget_analysis();
  void forget_factors();
  void keep(Factorization<S> factorization);

  SolverSettings settings_;
  std::shared_ptr<const InputPattern> pattern_;   // null: none is set
  std::shared_ptr<const std::vector<S>> values_;  // null: none are set
  std::vector<Index> order_;                      // of elimination; empty: chosen
  std::vector<Index> schur_variables_;
  std::shared_ptr<const GivenScales> scales_;  // null: chosen

  std::optional<Analysis> analysis_;
  Symmetry analysed_symmetry_ = Symmetry::general;  // of the matrix as it was analysed
  std::optional<Factorization<S>> factorization_;   // of the matrix as it is set
  std::optional<SystemReport> once_;                // of a solve along with a factorization
};

}  // namespace frond
