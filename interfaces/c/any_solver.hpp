// SPDX-License-Identifier: BSD-3-Clause
// What the calls of C do, whatever the numbers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frond.h"
#include "frond/answers.hpp"
#include "frond/report.hpp"
#include "interfaces/c/figure_sources.hpp"
#include "interfaces/c/input_pattern.hpp"
#include "interfaces/c/solver_settings.hpp"

namespace frond {

/// Columns of a caller's array, of scalars that both sides know: column k is at data + k * ld scalars.
struct Columns {
  void* data = nullptr;
  std::int64_t ld = 0;
};
struct ConstColumns {
  const void* data = nullptr;
  std::int64_t ld = 0;
};

/// A pattern of right-hand sides or of entries of the inverse, as its caller has it.
struct CallerColumns {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* rows = nullptr;
};

/// Where frond_factor_order() puts what it knows; any may be null.
struct FactorOrderArrays {
  std::int32_t* pivots;
  std::int32_t* rows;
  std::int32_t* cols;
  void* row_scales;
  void* col_scales;
};

/// What entries of an inverse came to.
struct InverseOutcome {
  Verdict verdict = Verdict::solved;
  std::string description;
};

/// One system. Those calls that are const may be made side by side, once prepare() has returned; all others alone. Everything that
/// is wrong is thrown, and leaves the solver as it was.
class AnySolver {
 public:
  AnySolver() = default;
  virtual ~AnySolver() = default;
  AnySolver(const AnySolver&) = delete;
  AnySolver& operator=(const AnySolver&) = delete;

  [[nodiscard]] virtual SolverSettings& settings() = 0;
  virtual void set_option(std::string_view name, std::string_view value) = 0;

  virtual void set_pattern(InputPattern pattern, const void* values) = 0;
  virtual void set_values(std::int64_t num_entries, const void* values) = 0;
  virtual void set_order(const std::int32_t* order) = 0;
  virtual void set_scales(const void* rows, const void* cols) = 0;
  virtual void set_schur_variables(std::int32_t count, const std::int32_t* variables) = 0;

  virtual void analyze() = 0;
  virtual void factorize() = 0;
  virtual void resume() = 0;
  virtual void load(const std::string& path) = 0;
  virtual void load(std::span<const std::byte> bytes) = 0;
  virtual SolveReport solve_once(std::int32_t count, ConstColumns b, Columns x) = 0;
  /// A report for each system.
  virtual std::vector<SolveReport> solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                               ConstColumns b, Columns x) = 0;

  /// Whether there are factors of the matrix as it is set, by the options as they are set.
  [[nodiscard]] virtual bool is_factorized() const = 0;

  [[nodiscard]] virtual SolveReport solve(int operation, std::int32_t count, ConstColumns b, Columns x) const = 0;
  [[nodiscard]] virtual SolveReport solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                                 Columns x) const = 0;
  [[nodiscard]] virtual InverseOutcome inverse_diagonal(bool is_refined, void* diagonal) const = 0;
  [[nodiscard]] virtual InverseOutcome inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const = 0;
  [[nodiscard]] virtual Index null_space(int operation, std::int32_t capacity, Columns z) const = 0;
  virtual void schur_complement(Columns s) const = 0;
  virtual void condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const = 0;
  virtual void expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const = 0;
  virtual void solve_part(int part, int operation, std::int32_t count, Columns x) const = 0;
  virtual void factor_order(const FactorOrderArrays& arrays) const = 0;
  virtual void save(const std::string& path) const = 0;
  [[nodiscard]] virtual std::vector<std::byte> save() const = 0;

  /// What is known so far, but for solves.
  [[nodiscard]] virtual FigureSources figure_sources() const = 0;
};

/// Throws UsageError for a number that is none of frond_scalar's.
[[nodiscard]] std::unique_ptr<AnySolver> make_solver(int scalar);

}  // namespace frond
