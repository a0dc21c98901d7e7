// SPDX-License-Identifier: BSD-3-Clause
// Where suites of whole runs take place: in one process, or on several ranks, as the program is linked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "frond/solve.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_course.hpp"
#include "solver/course/team.hpp"

namespace frond::stages {

/// How small systems are spread, where there is somebody to spread them over: node by node and in rows, and then with the root on
/// a grid of two.
enum class Layout { rows, grid };

struct StageOptions {
  SolverOptions solver = {};
  Layout layout = Layout::rows;
};

[[nodiscard]] const Team& team();
[[nodiscard]] Rank rank();  ///< of who asks
[[nodiscard]] inline bool is_led_here() { return team().leads(); }
/// Those that differ.
[[nodiscard]] std::vector<Layout> layouts();
/// As many of these seeds as there is time for.
[[nodiscard]] std::uint64_t num_seeds(std::uint64_t in_one_process);

// The calls that differ.
template <Scalar S>
[[nodiscard]] Analysis analyze_here(const SystemMatrix<S>& matrix, const StageOptions& options);
template <Scalar S>
[[nodiscard]] Factorization<S> load_here(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options);

/// What is passed where the stage is led, and nothing elsewhere.
template <class View>
[[nodiscard]] View led(const View& view) {
  return is_led_here() ? view : View();
}

/// All calls are made by all who are on the stage. What is passed is the same everywhere; so is what is returned, but for what is
/// said to be only where the stage is led.
template <Scalar S>
class StagedFactorization {
 public:
  explicit StagedFactorization(Factorization<S> factorization) : factorization_(std::move(factorization)) {}

  [[nodiscard]] const SystemReport& report() const { return factorization_.report(); }
  [[nodiscard]] const Symbolic& symbolic() const { return factorization_.course().current().backend().symbolic(); }
  SolveReport solve(const DenseMatrix<S>& b, DenseMatrix<S>& x, Operation operation = Operation::plain) const {
    return factorization_.solve(view_of(b), view_of(x), operation);
  }
  SolveReport solve_sparse(const SparseMatrix<S>& b, DenseMatrix<S>& x) const {
    return factorization_.solve_sparse(led(b.view()), view_of(x));
  }
  [[nodiscard]] NullSpace<S> null_space(Operation operation = Operation::plain) const {
    NullSpace<S> space = factorization_.null_space(operation);
    share_list(team(), space.basis.values);
    return space;
  }
  /// The entries are where the stage is led.
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern) const {
    return factorization_.inverse_entries(led(pattern));
  }
  /// X is where the stage is led.
  void solve_part(FactorPart part, Operation operation, DenseMatrix<S>& x) const {
    factorization_.solve_part(part, operation, led(view_of(x)));
  }
  void save(const std::string& path) const { factorization_.save(path); }
  [[nodiscard]] const Factorization<S>& calls() const { return factorization_; }  ///< all that there are

 private:
  Factorization<S> factorization_;
};

/// A system that is analysed. The arrays of its matrix outlive it.
template <Scalar S>
class StagedSystem {
 public:
  StagedSystem(Analysis analysis, const SystemMatrix<S>& matrix) : analysis_(std::move(analysis)), matrix_(matrix) {}

  [[nodiscard]] const Symbolic& symbolic() const { return *analysis_.parts().symbolic; }
  [[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize() const {
    return std::make_unique<StagedFactorization<S>>(Factorization<S>(analysis_, led(matrix_)));
  }
  [[nodiscard]] std::unique_ptr<StagedSystem> with_values(const SystemMatrix<S>& matrix) const {
    return std::make_unique<StagedSystem>(analysis_, matrix);
  }
  OnceReport solve_once(const DenseMatrix<S>& b, DenseMatrix<S>& x) const {
    return frond::solve_once<S>(analysis_, led(matrix_), view_of(b), view_of(x));
  }

 private:
  Analysis analysis_;
  SystemMatrix<S> matrix_;
};

template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedSystem<S>> analyse(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<StagedSystem<S>>(analyze_here(led(matrix), options), matrix);
}
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> load(const std::string& path, const SystemMatrix<S>& matrix,
                                                           const StageOptions& options) {
  return std::make_unique<StagedFactorization<S>>(load_here(path, led(matrix), options));
}
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyse(matrix, options)->factorize();
}
/// Whether one of the notes has these words.
[[nodiscard]] bool has_note(const std::vector<std::string>& notes, const std::string& words);

}  // namespace frond::stages
