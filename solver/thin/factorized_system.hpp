// SPDX-License-Identifier: BSD-3-Clause
// Has thin factors as long as these are enough, and a course from when it is needed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/analysis.hpp"
#include "solver/course/system_course.hpp"
#include "solver/thin/thin_system.hpp"

namespace frond {

/// A factorized system at any place. Solves use thin factors, if there are any, until an x is not accurate with them: with pivots
/// that were kept, factors with new pivots are tried, and from then on, as for everything but solves from the first such call on,
/// there is a course, with fronts. Thread-safe, except for set_solve_options() and refactorize().
template <Scalar S>
class FactorizedSystem {
 public:
  explicit FactorizedSystem(std::unique_ptr<SystemCourse<S>> course) : course_(std::move(course)), has_course_(true) {}
  /// Factorizes the matrix; if it `takes_values`, others of the same entries may follow.
  FactorizedSystem(const Analysis& analysis, const SystemMatrix<S>& matrix, bool takes_values);

  /// Factorized; made at the first call if there is none. Throws as the factorization does, and UsageError if refactorize() has
  /// failed.
  [[nodiscard]] SystemCourse<S>& course();
  /// The same, with which solves go on: they give the bits that its saved factors give.
  [[nodiscard]] SystemCourse<S>& course_for_solves();
  /// Null if solves use the course.
  [[nodiscard]] const ThinSystem<S>* thin() const { return in_use_; }
  [[nodiscard]] bool bounds_errors() const { return error_bounds_ != ErrorBounds::never; }

  /// Nothing if the course has to solve.
  [[nodiscard]] std::optional<SolveReport> solve_thin(DenseView<const S> b, DenseView<S> x, Operation operation);
  /// Likewise, for entries of few columns.
  [[nodiscard]] std::optional<InverseEntries<S>> inverse_entries_thin(const PatternView& pattern) const;
  /// Of the factors that solves use.
  [[nodiscard]] const SystemReport& report();
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds);
  /// See Factorization::refactorize().
  void refactorize(std::span<const S> values);

 private:
  // What the system was made of, so that a course, or other values, can follow.
  struct Given {
    Analysis analysis;
    SystemMatrix<S> matrix;  // on the leader
    bool takes_values;
  };

  void factorize();
  [[nodiscard]] bool factorize_thin();
  void rest_from_thin();
  [[nodiscard]] const AnalysisParts& analysis_for_fronts() const;
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> made_course();
  [[nodiscard]] SystemMatrix<S> matrix_with(std::span<const S> values) const;
  void keep_serving_analysis();

  std::optional<Given> given_;
  std::optional<AnalysisParts> for_fronts_;  // of a thin system, with scales that serve; empty: that of the analysis
  std::shared_ptr<RegionPool> memory_;       // of fronts, from the first refactorize() on
  std::unique_ptr<ThinSystem<S>> thin_;
  std::unique_ptr<ThinSystem<S>> with_new_pivots_;  // of the same values; null: not needed
  std::atomic<const ThinSystem<S>*> in_use_ = nullptr;
  std::unique_ptr<SystemCourse<S>> course_;
  std::atomic<bool> has_course_ = false;
  bool has_failed_ = false;                      // refactorize(), and there are no factors
  int num_rests_ = 0;                            // refactorizations that are left to fronts without a trial of thin factors
  int next_rest_ = 0;                            // as many of them when thin factors fail next
  std::mutex making_;                            // of the other factors
  std::optional<RefinementOptions> refinement_;  // of later calls; empty: that of the analysis
  ErrorBounds error_bounds_ = ErrorBounds::never;
};

/// Returns a course that has been factorized.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> factorized(std::unique_ptr<SystemCourse<S>> course) {
  on_threads(course->backend().num_threads(), [&] { course->factorize(); });
  return course;
}

}  // namespace frond
