// SPDX-License-Identifier: BSD-3-Clause
// Makes the decisions of an iterative refinement, independent of how solves and measurements are done.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/options.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/unset_array.hpp"

namespace frond {

/// The larger of two errors, each relative to its target: the improvable one to that of the options, the normwise one to the
/// accuracy target. At most 1 when there is nothing to refine.
template <Scalar S>
[[nodiscard]] double refinement_error(const ColumnReport& report, const RefinementOptions& options);

/// Whether an iterate is better than another: the improvable error counts first, and among accurate iterates the rest of equations
/// among rounding errors.
template <Scalar S>
[[nodiscard]] bool is_better(const ColumnReport& report, const ColumnReport& other, const RefinementOptions& options);

/// Solves op(A) X = B and corrects each column by the solution for its residual, while
///   - its refinement_error() is above 1, and the last correction halved it or met previously missed equations, or
///   - equations among rounding errors are not met, and the last correction made these much smaller,
/// and the steps of the options are not used up. The best iterate is kept. A column of zeros gives zeros.
///
/// Unknowns that are 0 except for rounding errors shrink with each correction as fast as the errors of the others, so that the
/// relative residuals of their equations never do. Once they are rounding errors of rounding errors, they are set to 0.
///
/// From the second correction on each starts from the point of the line through the last two iterates whose residual is smallest
/// (Anderson 1965, "Iterative procedures for nonlinear integral equations", with one iterate before the last): if the
/// factors are wrong in few directions, two successive residuals show these. Residuals are measured in equations divided by their
/// sizes, and in the Euclidean norm.
///
///   for (RefinementCourse<S> course(b, x, reports, options, observer); !course.ended(); course.advance(row_sums)) {
///     solve(course.work());                                              // in place, all columns together
///     for (Index k = 0; k < course.work().cols; ++k) {                   // in any order, or at the same time
///       course.form_candidate(k);                                        // work().column(k), a better x perhaps
///       course.judge(k, measure(course.right_side(k), course.candidate(k), course.residual(k), course.correction(k)));
///     }
///   }
template <Scalar S>
class RefinementCourse {
 public:
  /// One report per column of B. b, x, reports and the observer, which may be null, must outlive this object.
  RefinementCourse(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports, const RefinementOptions& options,
                   Observer* observer = nullptr);

  [[nodiscard]] bool ended() const { return columns_.empty(); }

  /// One column for each current column of B: first B, then residuals.
  [[nodiscard]] DenseView<S> work();
  void form_candidate(Index k);
  void judge(Index k, const ColumnReport& measured);
  void advance(std::span<const RealOf<S>> equation_sizes);  ///< sums of magnitudes of the rows of op(A)

  [[nodiscard]] std::span<const S> right_side(Index k) const;
  [[nodiscard]] std::span<const S> candidate(Index k) const { return column_of(work_, k); }
  [[nodiscard]] std::span<S> residual(Index k) { return column_of(residuals_, k); }  ///< of the candidate
  /// The change that gave the candidate of x; empty before the first correction.
  [[nodiscard]] std::span<const S> correction(Index k) const {
    return step_ > 0 ? std::span<const S>(column_of(changes_, k)) : std::span<const S>();
  }

 private:
  using Columns = UnsetArray<S>;  // contiguous, each as long as a column of B; all threads touch the memory when it is first used

  template <class Vectors>
  [[nodiscard]] auto column_of(Vectors& vectors, Index k) const {
    const auto height = static_cast<std::size_t>(b_.rows);
    return vectors.part(static_cast<std::size_t>(k) * height, height);
  }
  [[nodiscard]] Index column(Index k) const { return columns_[k]; }
  void drop_rounding_errors(Index k);
  void keep_columns();
  void extrapolate(Index k, std::span<const RealOf<S>> equation_sizes);

  DenseView<const S> b_;
  DenseView<S> x_;
  std::span<ColumnReport> reports_;
  RefinementOptions options_;
  Observer* observer_;
  int step_ = 0;
  std::vector<Index> columns_;  // of B that are being refined
  std::vector<char> stays_;     // [k]: whether another correction of column k may be worthwhile
  Columns work_;
  Columns residuals_;
  // If there was a correction:
  Columns changes_;         // from the previous iterate to x
  Columns last_residuals_;  // of the previous iterate
  std::vector<S> shifts_;   // [k]: the next correction starts from x + shifts_[k] changes_[k]
};

}  // namespace frond
