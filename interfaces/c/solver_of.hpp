// SPDX-License-Identifier: BSD-3-Clause
// The solver of C for one scalar type: keeps what is set, and what is computed from it.
#pragma once

#include <fmt/core.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frond.h"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/place.hpp"
#include "frond/report.hpp"
#include "interfaces/c/input_pattern.hpp"
#include "interfaces/c/solver_settings.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/tables/figures.hpp"

namespace frond {

/// What calls need of a solver whatever its scalars are.
class SolverBase {
 public:
  explicit SolverBase(Place place) : place_(std::move(place)) {}
  virtual ~SolverBase() = default;
  SolverBase(const SolverBase&) = delete;
  SolverBase& operator=(const SolverBase&) = delete;

  [[nodiscard]] const Place& place() const { return place_; }
  [[nodiscard]] const Team& team() const { return place_.parts().team(); }
  [[nodiscard]] bool leads() const { return team().leads(); }
  [[nodiscard]] SolverSettings& settings() { return settings_; }
  [[nodiscard]] IndexBase base() const { return settings_.base(); }

  /// Whether there are factors of the current matrix under the current options.
  [[nodiscard]] virtual bool is_factorized() const = 0;
  virtual void factorize() = 0;
  /// Everything known so far, except about solves, until the solver changes.
  [[nodiscard]] virtual FigureSources figure_sources() const = 0;

 protected:
  SolverSettings settings_;

 private:
  Place place_;
};

/// One system, on one process or several. Const calls may run
/// concurrently if the team has callers side by side and the factors exist; all others run alone. Every error is thrown, and leaves
/// the solver unchanged.
///
/// Over several processes all calls are collective except team(), settings(), is_factorized() and figure_sources(), and throw on
/// all alike. The leader's arguments count; the others may pass null for arrays, except in set_triplets() and solve_rows(), where
/// each has its own.
template <Scalar S>
class SolverOf final : public SolverBase {
 public:
  explicit SolverOf(Place place);

  void set_option(const char* name, const char* value);
  /// make() returns the pattern; it is called only where its arguments count.
  void set_pattern(const std::function<InputPattern()>& make, const void* values);
  void set_triplets(const std::function<TripletPattern()>& make, const void* values);
  void set_values(std::int64_t num_entries, const void* values);
  void set_order(const std::int32_t* order);
  void set_scales(const void* rows, const void* cols);
  void set_schur_variables(std::int32_t count, const std::int32_t* variables);

  void analyze();
  void factorize() override;
  void refactorize(std::int64_t num_entries, const void* values);
  void resume();
  void load(const char* path);
  void load(std::span<const std::byte> bytes);
  SolveReport solve_once(std::int32_t count, const void* b, std::int64_t ldb, void* x, std::int64_t ldx);
  /// Returns one report per system.
  std::vector<SolveReport> solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                       const void* b, std::int64_t ldb, void* x, std::int64_t ldx);

  [[nodiscard]] bool is_factorized() const override;
  /// Exists if is_factorized().
  [[nodiscard]] const Factorization<S>& factorization() const { return *factorization_; }
  [[nodiscard]] FigureSources figure_sources() const override;

  [[nodiscard]] Index order() const { return pattern().order(); }
  [[nodiscard]] Index schur_order() const;
  /// Returns the caller's columns: column k is at data + k * ld scalars. Throws UsageError for columns of wrong sizes; null is
  /// allowed, and gives no columns, except on the leader.
  [[nodiscard]] DenseView<S> view(void* data, std::int64_t ld, Index num_rows, std::int32_t count, const char* name) const;
  [[nodiscard]] DenseView<const S> view(const void* data, std::int64_t ld, Index num_rows, std::int32_t count,
                                        const char* name) const;
  /// The same for arrays that count on the leader only.
  [[nodiscard]] DenseView<const S> led_view(const void* data, std::int64_t ld, Index num_rows, std::int32_t count,
                                            const char* name) const;
  /// Converts variables, or rows, to base 0. Throws UsageError for those that do not exist.
  [[nodiscard]] std::vector<Index> variables(const std::int32_t* given, std::int32_t count, const char* name) const;

 private:
  [[nodiscard]] const InputPattern& pattern() const;
  /// What all pass, concatenated, on the leader; nothing elsewhere. The order and the symmetry are the same everywhere.
  [[nodiscard]] TripletPattern together(TripletPattern mine) const;
  [[nodiscard]] std::vector<S> together(std::span<const S> mine) const;
  void take_pattern(InputPattern pattern, Count num_mine, bool has_values, std::span<const S> values);
  [[nodiscard]] std::shared_ptr<const std::vector<S>> other_values(std::int64_t num_entries, const void* values) const;
  [[nodiscard]] std::shared_ptr<const std::vector<S>> arranged(const InputPattern& pattern, std::span<const S> mine) const;
  [[nodiscard]] SystemMatrix<S> system() const;
  [[nodiscard]] SystemMatrix<S> system_with(std::shared_ptr<const std::vector<S>> values) const;
  [[nodiscard]] SolverOptions solver_options() const;
  [[nodiscard]] const Analysis& analysis_for(const SystemMatrix<S>& matrix);
  [[nodiscard]] Analysis analysis_with_options(const SystemMatrix<S>& matrix);
  void forget_analysis();
  void forget_factors();
  void keep(Factorization<S> factorization);
  void refactorize(std::shared_ptr<const std::vector<S>> next);
  void add_figures_of_tree(const AnalysisParts& parts, FigureSources& sources) const;

  std::shared_ptr<const InputPattern> pattern_;   // null: not set
  Count num_mine_ = 0;                            // values that this process passes for it
  std::shared_ptr<const std::vector<S>> values_;  // null: not set; empty if other processes have them
  std::vector<Index> order_;                      // elimination order; empty: chosen
  std::vector<Index> schur_variables_;
  std::vector<double> row_scales_;  // empty: chosen
  std::vector<double> col_scales_;

  std::optional<Analysis> analysis_;
  std::optional<Factorization<S>> factorization_;  // of the current matrix
  bool takes_values_ = false;                      // factorization_ can be made again with others
  std::optional<SystemReport> once_;               // of a solve during a factorization
};

/// Never null.
template <Scalar S>
using SolverPointer = std::unique_ptr<SolverOf<S>>;
using AnySolver = std::variant<SolverPointer<float>, SolverPointer<double>, SolverPointer<std::complex<float>>,
                               SolverPointer<std::complex<double>>>;

/// Returns make(S()), which owns a SolverOf<S>, for the S that the frond_scalar number stands for. Throws UsageError for any other
/// number.
template <class Make>
[[nodiscard]] AnySolver make_for_scalar(int scalar, Make make) {
  switch (scalar) {
    case FROND_FLOAT:
      return SolverPointer<float>(make(float()));
    case FROND_DOUBLE:
      return SolverPointer<double>(make(double()));
    case FROND_COMPLEX_FLOAT:
      return SolverPointer<std::complex<float>>(make(std::complex<float>()));
    case FROND_COMPLEX_DOUBLE:
      return SolverPointer<std::complex<double>>(make(std::complex<double>()));
  }
  throw UsageError(
      fmt::format("{} is no kind of numbers: give FROND_FLOAT, FROND_DOUBLE, FROND_COMPLEX_FLOAT or FROND_COMPLEX_DOUBLE", scalar));
}

/// Throws UsageError if `scalar` is not a frond_scalar.
[[nodiscard]] AnySolver make_solver(int scalar, const Place& place = {});

}  // namespace frond
