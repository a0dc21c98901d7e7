// SPDX-License-Identifier: BSD-3-Clause
// Computes other results from the factors of a system, in one process and in several: null spaces, entries of the inverse, parts,
// sparse right-hand sides.
#pragma once

#include "solver/course/system_course.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/answers/null_space.hpp"
#include "solver/numerics/sweeps/factor_parts.hpp"

namespace frond {

/// All calls are collective. Patterns, sides and entries are on the leader; others pass empty ones and get none. Other results are
/// the same everywhere, and so are exceptions: UsageError, MemoryError.
template <Scalar S>
class SystemAnswers {
 public:
  /// The course must outlive this object.
  explicit SystemAnswers(SystemCourse<S>& system) : system_(system), backend_(system.current().backend()) {}

  /// As Factorization::null_space().
  [[nodiscard]] NullSpace<S> null_space(Operation operation);

  /// As Factorization::solve_part().
  void solve_part(FactorPart part, Operation operation, DenseView<S> x);
  /// Throws UsageError if there are no parts to solve with.
  void check_parts();

  /// As Factorization::inverse_entries().
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern, InverseAccuracy accuracy);

  /// As Factorization::solve_sparse().
  [[nodiscard]] SolveReport solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation);

 private:
  [[nodiscard]] const Team& team() const { return backend_.team(); }
  [[nodiscard]] bool find_entries(const PatternView& pattern, InverseEntries<S>& entries);
  void refine_entries(const PatternView& pattern, InverseEntries<S>& entries);
  [[nodiscard]] std::vector<InverseBlock> blocks_of(const PatternView& pattern, Operation operation);

  SystemCourse<S>& system_;
  SystemBackend<S>& backend_;  // whose factors are those of the system
};

/// Sides of which the leader has all rows; others have those of X if they pass storage for them.
template <Scalar S>
class LedSides {
 public:
  /// Collective; checks that the sides have the right sizes and the same number of columns. Viewed arrays must outlive this object.
  LedSides(const Team& team, Index order, DenseView<const S> b, DenseView<S> x);
  LedSides(const LedSides&) = delete;
  LedSides& operator=(const LedSides&) = delete;
  [[nodiscard]] const RankSides<S>& view() const { return sides_; }

 private:
  std::vector<Index> rows_;
  RankSides<S> sides_;
};

}  // namespace frond
