// SPDX-License-Identifier: BSD-3-Clause
// Lets suites of whole runs take place in one process or on several ranks, depending on what the program is linked with.
#pragma once

#include <gtest/gtest.h>

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
#include "frond/place.hpp"
#include "frond/solve.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/system_course.hpp"
#include "solver/course/team.hpp"

namespace frond::stages {

/// How small systems are spread over several ranks: node by node, also in rows, or in addition with the root on a grid of two, or
/// with the Schur complement on a grid of all, in small blocks.
enum class Layout { nodes, rows, grid, wide_grid };

struct StageOptions {
  SolverOptions solver = {};
  Layout layout = Layout::rows;
};

[[nodiscard]] const Place& place();
[[nodiscard]] SolverOptions options_here(const StageOptions& options);
[[nodiscard]] inline const Team& team() { return place().parts().team(); }
[[nodiscard]] inline Rank rank() { return place().rank(); }  ///< the calling rank
[[nodiscard]] inline bool is_led_here() { return team().leads(); }
[[nodiscard]] inline bool is_last_here() { return rank() == team().size() - 1; }
/// Returns the layouts that differ here, apart from the wide grid.
[[nodiscard]] std::vector<Layout> layouts();
/// In one process there is time for all cases, and bits do not change between runs: ranks choose slaves by load.
[[nodiscard]] inline bool is_one_process() { return layouts().size() == 1; }
/// Returns how many of these seeds there is time for.
[[nodiscard]] std::uint64_t num_seeds(std::uint64_t in_one_process);

/// Counts fronts that several ranks share.
struct Spread {
  Count by_rows = 0;
  Count on_grids = 0;

  Spread& operator+=(const Spread& other) {
    by_rows += other.by_rows;
    on_grids += other.on_grids;
    return *this;
  }
};
/// Whether roots are factorized on a grid where the layout asks for one.
[[nodiscard]] bool has_grids();
/// Checks that the fronts of several systems, some with a grid, were spread wherever they can be.
void expect_spread(const Spread& sum);

template <Scalar S>
[[nodiscard]] Spread spread_of(const Factorization<S>& factorization);
/// Whether this rank stores factors; unknown, and false, in one process.
template <Scalar S>
[[nodiscard]] bool holds_factors(const Factorization<S>& factorization);

/// Returns its argument on the leading rank, and an empty view elsewhere.
template <class View>
[[nodiscard]] View led(const View& view) {
  return is_led_here() ? view : View();
}

/// Every rank of the stage makes every call. Arguments and results are the same on all ranks, except for results documented to be
/// on the leading rank only.
template <Scalar S>
class StagedFactorization {
 public:
  explicit StagedFactorization(Factorization<S> factorization) : factorization_(std::move(factorization)) {}

  [[nodiscard]] const SystemReport& report() const { return factorization_.report(); }
  [[nodiscard]] const Symbolic& symbolic() const { return factorization_.course().current().backend().symbolic(); }
  SolveReport solve(const DenseMatrix<S>& b, DenseMatrix<S>& x, Operation operation = Operation::plain) const {
    return factorization_.solve(view_of(b), view_of(x), operation);
  }
  SolveReport solve_sparse(const SparseMatrix<S>& b, DenseMatrix<S>& x, Operation operation = Operation::plain) const {
    return factorization_.solve_sparse(led(b.view()), view_of(x), operation);
  }
  [[nodiscard]] NullSpace<S> null_space(Operation operation = Operation::plain) const {
    NullSpace<S> space = factorization_.null_space(operation);
    EXPECT_TRUE(is_led_here() || space.basis.values.empty());
    share_list(team(), space.basis.values);
    return space;
  }
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern,
                                                  InverseAccuracy accuracy = InverseAccuracy::direct) const {
    return shared(factorization_.inverse_entries(led(pattern), accuracy));
  }
  [[nodiscard]] InverseEntries<S> inverse_diagonal(InverseAccuracy accuracy = InverseAccuracy::direct) const {
    return shared(factorization_.inverse_diagonal(accuracy));
  }
  /// X is on the leading rank only.
  void solve_part(FactorPart part, Operation operation, DenseMatrix<S>& x) const {
    factorization_.solve_part(part, operation, led(view_of(x)));
  }
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds bounds) {
    factorization_.set_solve_options(refinement, bounds);
  }
  [[nodiscard]] DenseMatrix<S> schur_complement() const {
    DenseMatrix<S> complement = factorization_.schur_complement();
    share_value(team(), complement.num_rows);
    share_value(team(), complement.num_cols);
    share_list(team(), complement.values);
    return complement;
  }
  void condense(const DenseMatrix<S>& b, DenseMatrix<S>& condensed, Operation operation = Operation::plain) const {
    factorization_.condense(led(view_of(b)), led(view_of(condensed)), operation);
    share_list(team(), condensed.values);
  }
  void expand(const DenseMatrix<S>& b, const DenseMatrix<S>& x2, DenseMatrix<S>& x, Operation operation) const {
    factorization_.expand(led(view_of(b)), led(view_of(x2)), led(view_of(x)), operation);
    share_list(team(), x.values);
  }
  [[nodiscard]] Spread spread() const { return spread_of(factorization_); }
  void save(const std::string& path) const { factorization_.save(path); }
  [[nodiscard]] const Factorization<S>& calls() const { return factorization_; }  ///< gives access to every call

 private:
  /// The entries are on the leading rank only.
  [[nodiscard]] static InverseEntries<S> shared(InverseEntries<S> entries) {
    EXPECT_TRUE(is_led_here() || entries.values.empty());
    share_list(team(), entries.values);
    return entries;
  }

  Factorization<S> factorization_;
};

/// An analysed system. The arrays of its matrix must outlive it.
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
  OnceReport solve_once_rows(const DenseRows<const S>& b, const DenseRows<S>& x) const {
    return frond::solve_once_rows<S>(analysis_, led(matrix_), b, x);
  }

 private:
  Analysis analysis_;
  SystemMatrix<S> matrix_;
};

template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedSystem<S>> analyse(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<StagedSystem<S>>(analyze(led(matrix), options_here(options), place()), matrix);
}
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> load(const std::string& path, const SystemMatrix<S>& matrix,
                                                           const StageOptions& options) {
  return std::make_unique<StagedFactorization<S>>(Factorization<S>::load(path, led(matrix), options_here(options), place()));
}
template <Scalar S>
[[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return analyse(matrix, options)->factorize();
}
/// True if one of the notes contains these words.
[[nodiscard]] bool has_note(const std::vector<std::string>& notes, const std::string& words);

}  // namespace frond::stages
