// SPDX-License-Identifier: BSD-3-Clause
// Where suites of whole runs take place: in one process, or on several ranks, as the program is linked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/answers/inverse.hpp"
#include "solver/answers/null_space.hpp"
#include "solver/course/once_course.hpp"
#include "solver/problem/report.hpp"
#include "solver/problem/system_matrix.hpp"
#include "solver/sweeps/factor_parts.hpp"

namespace frond::stages {

/// How small systems are spread, where there is somebody to spread them over: node by node and in rows, and then with the root on
/// a grid of two.
enum class Layout { rows, grid };

struct StageOptions {
  SolverOptions solver = {};
  Layout layout = Layout::rows;
};

/// All calls are made by all who are on the stage. What is passed is the same everywhere; so is what is returned, but for what is
/// said to be only where the stage is led.
template <Scalar S>
class StagedFactorization {
 public:
  virtual ~StagedFactorization() = default;
  [[nodiscard]] virtual const SystemReport& report() const = 0;
  [[nodiscard]] virtual const Symbolic& symbolic() const = 0;
  virtual SolveReport solve(const DenseMatrix<S>& b, DenseMatrix<S>& x, Operation operation = Operation::plain) = 0;
  virtual SolveReport solve_sparse(const SparseMatrix<S>& b, DenseMatrix<S>& x) = 0;
  [[nodiscard]] virtual NullSpace<S> null_space(Operation operation = Operation::plain) = 0;
  /// The entries are where the stage is led.
  [[nodiscard]] virtual InverseEntries<S> inverse_entries(const PatternView& pattern) = 0;
  /// X is where the stage is led.
  virtual void solve_part(FactorPart part, Operation operation, DenseMatrix<S>& x) = 0;
  virtual void save(const std::string& path) = 0;
};

/// A system that is analysed. The arrays of its matrix outlive it.
template <Scalar S>
class StagedSystem {
 public:
  virtual ~StagedSystem() = default;
  [[nodiscard]] virtual const Symbolic& symbolic() const = 0;
  [[nodiscard]] virtual std::unique_ptr<StagedFactorization<S>> factorize() const = 0;
  [[nodiscard]] virtual std::unique_ptr<StagedSystem> with_values(const SystemMatrix<S>& matrix) const = 0;
  virtual OnceReport solve_once(const DenseMatrix<S>& b, DenseMatrix<S>& x) const = 0;
};

template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedSystem<S>> analyse(const SystemMatrix<S>& matrix, const StageOptions& options);
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyse(matrix, options)->factorize();
}
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> load(const std::string& path, const SystemMatrix<S>& matrix,
                                                           const StageOptions& options);

[[nodiscard]] bool is_led_here();
/// Those that differ.
[[nodiscard]] std::vector<Layout> layouts();
/// As many of these seeds as there is time for.
[[nodiscard]] std::uint64_t num_seeds(std::uint64_t in_one_process);

/// Whether one of the notes has these words.
[[nodiscard]] bool has_note(const std::vector<std::string>& notes, const std::string& words);

}  // namespace frond::stages
