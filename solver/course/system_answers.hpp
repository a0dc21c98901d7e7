// SPDX-License-Identifier: BSD-3-Clause
// What else the factors of a system answer, in one process and in several: null spaces, entries of the inverse, parts, sparse
// right-hand sides.
#pragma once

#include "solver/course/system_course.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/answers/null_space.hpp"
#include "solver/numerics/sweeps/factor_parts.hpp"

namespace frond {

/// All calls are collective. Patterns, sides and entries are where the team is led; others pass empty ones and get none. All else
/// that is returned is the same everywhere, and so is what is thrown: UsageError, MemoryError.
template <Scalar S>
class SystemAnswers {
 public:
  /// The course outlives this object.
  explicit SystemAnswers(SystemCourse<S>& system) : system_(system), backend_(system.current().backend()) {}

  /// As Factorization::null_space().
  [[nodiscard]] NullSpace<S> null_space(Operation operation);

  /// As Factorization::solve_part().
  void solve_part(FactorPart part, Operation operation, DenseView<S> x);
  /// Throws UsageError where there are no parts to solve with.
  void check_parts();

  /// As Factorization::inverse_entries().
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern, InverseAccuracy accuracy);

  /// As Factorization::solve_sparse().
  [[nodiscard]] SolveReport solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation);

 private:
  [[nodiscard]] const Team& team() const { return backend_.team(); }
  void find_entries(const PatternView& pattern, InverseEntries<S>& entries);
  void refine_entries(const PatternView& pattern, InverseEntries<S>& entries);
  [[nodiscard]] std::vector<InverseBlock> blocks_of(const PatternView& pattern, Operation operation);

  SystemCourse<S>& system_;
  SystemBackend<S>& backend_;  // whose factors are those of the system
};

/// Sides of which the one that leads has all rows, and others those of X if they pass room for them.
template <Scalar S>
class LedSides {
 public:
  /// Collective; the sides are checked and have the same number of columns. What is viewed outlives this object.
  LedSides(const Team& team, Index order, DenseView<const S> b, DenseView<S> x);
  LedSides(const LedSides&) = delete;
  LedSides& operator=(const LedSides&) = delete;
  [[nodiscard]] const RankSides<S>& view() const { return sides_; }

 private:
  std::vector<Index> rows_;
  RankSides<S> sides_;
};

}  // namespace frond
