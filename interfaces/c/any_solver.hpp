// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls of the C interface, whatever the scalar type.
#pragma once

#include <fmt/core.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frond.h"
#include "frond/answers.hpp"
#include "frond/error.hpp"
#include "frond/report.hpp"
#include "interfaces/c/input_pattern.hpp"
#include "interfaces/c/solver_settings.hpp"
#include "solver/course/team.hpp"
#include "solver/tables/figures.hpp"

namespace frond {

/// Columns of a caller's array, of scalars whose type both sides know: column k is at data + k * ld scalars.
struct Columns {
  void* data = nullptr;
  std::int64_t ld = 0;
};
struct ConstColumns {
  const void* data = nullptr;
  std::int64_t ld = 0;
};

/// Some rows of such columns, given by their numbers.
struct Rows {
  std::int32_t count = 0;
  const std::int32_t* numbers = nullptr;
};

/// A pattern of right-hand sides or of entries of the inverse, in the caller's layout.
struct CallerColumns {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* rows = nullptr;
};

/// The output arrays of frond_factor_order(); any may be null.
struct FactorOrderArrays {
  std::int32_t* pivots;
  std::int32_t* rows;
  std::int32_t* cols;
  void* row_scales;
  void* col_scales;
};

/// The outcome of computing entries of an inverse.
struct InverseOutcome {
  Verdict verdict = Verdict::solved;
  std::string description;
};

/// One system, on one process or several. Const calls may run concurrently if the team has callers side by side and the factors
/// exist; all others run alone. Every error is thrown, and leaves the solver unchanged.
///
/// Over several processes all calls are collective except team(), settings(), is_factorized() and figure_sources(), and throw on
/// all alike. The leader's arguments count; the others may pass null for arrays, except in set_triplets() and solve_rows(), where
/// each has its own.
class AnySolver {
 public:
  AnySolver() = default;
  virtual ~AnySolver() = default;
  AnySolver(const AnySolver&) = delete;
  AnySolver& operator=(const AnySolver&) = delete;

  [[nodiscard]] virtual const Team& team() const = 0;
  /// The values of all processes, in the order of their ranks.
  [[nodiscard]] virtual std::vector<std::int64_t> of_all(std::int64_t mine) const = 0;
  [[nodiscard]] virtual SolverSettings& settings() = 0;
  virtual void set_option(const char* name, const char* value) = 0;

  /// make() returns the pattern; it is called only where its arguments count.
  virtual void set_pattern(const std::function<InputPattern()>& make, const void* values) = 0;
  virtual void set_triplets(const std::function<TripletPattern()>& make, const void* values) = 0;
  virtual void set_values(std::int64_t num_entries, const void* values) = 0;
  virtual void set_order(const std::int32_t* order) = 0;
  virtual void set_scales(const void* rows, const void* cols) = 0;
  virtual void set_schur_variables(std::int32_t count, const std::int32_t* variables) = 0;

  virtual void analyze() = 0;
  virtual void factorize() = 0;
  virtual void resume() = 0;
  virtual void load(const char* path) = 0;
  virtual void load(std::span<const std::byte> bytes) = 0;
  virtual SolveReport solve_once(std::int32_t count, ConstColumns b, Columns x) = 0;
  /// Returns one report per system.
  virtual std::vector<SolveReport> solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                               ConstColumns b, Columns x) = 0;

  /// Whether there are factors of the current matrix under the current options.
  [[nodiscard]] virtual bool is_factorized() const = 0;

  [[nodiscard]] virtual SolveReport solve(int operation, std::int32_t count, ConstColumns b, Columns x) const = 0;
  [[nodiscard]] virtual SolveReport solve_sparse(int operation, std::int32_t count, const CallerColumns& b, const void* values,
                                                 Columns x) const = 0;
  [[nodiscard]] virtual SolveReport solve_rows(int operation, std::int32_t count, Rows b_rows, ConstColumns b, Rows x_rows,
                                               Columns x) const = 0;
  /// Returns the rows of X that this process owns, in the caller's index base.
  [[nodiscard]] virtual std::vector<std::int32_t> own_rows() const = 0;
  [[nodiscard]] virtual InverseOutcome inverse_diagonal(bool is_refined, void* diagonal) const = 0;
  [[nodiscard]] virtual InverseOutcome inverse_entries(bool is_refined, const CallerColumns& pattern, void* values) const = 0;
  [[nodiscard]] virtual Index null_space(int operation, std::int32_t capacity, Columns z) const = 0;
  /// Whether the current factors leave one; false if the block of the other variables is singular.
  [[nodiscard]] virtual bool has_schur_complement() const = 0;
  virtual void schur_complement(Columns s) const = 0;
  virtual void condense(int operation, std::int32_t count, ConstColumns b, Columns condensed) const = 0;
  virtual void expand(int operation, std::int32_t count, ConstColumns b, ConstColumns x2, Columns x) const = 0;
  virtual void solve_part(int part, int operation, std::int32_t count, Columns x) const = 0;
  virtual void factor_order(const FactorOrderArrays& arrays) const = 0;
  virtual void save(const char* path) const = 0;
  [[nodiscard]] virtual std::vector<std::byte> save() const = 0;

  /// Everything known so far, except about solves, until the solver changes.
  [[nodiscard]] virtual FigureSources figure_sources() const = 0;
};

/// Returns make(S()) for the S that the frond_scalar number stands for. Throws UsageError for any other number.
template <class Make>
[[nodiscard]] std::unique_ptr<AnySolver> make_for_scalar(int scalar, Make make) {
  switch (scalar) {
    case FROND_FLOAT:
      return make(float());
    case FROND_DOUBLE:
      return make(double());
    case FROND_COMPLEX_FLOAT:
      return make(std::complex<float>());
    case FROND_COMPLEX_DOUBLE:
      return make(std::complex<double>());
  }
  throw UsageError(
      fmt::format("{} is no kind of numbers: give FROND_FLOAT, FROND_DOUBLE, FROND_COMPLEX_FLOAT or FROND_COMPLEX_DOUBLE", scalar));
}

/// A solver on this process alone. Throws UsageError if `scalar` is not a frond_scalar.
[[nodiscard]] std::unique_ptr<AnySolver> make_solver(int scalar);

}  // namespace frond
