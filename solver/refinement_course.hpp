// SPDX-License-Identifier: BSD-3-Clause
// The decisions of an iterative refinement, whoever solves and measures.
#pragma once

#include <span>
#include <vector>

#include "factorization/kernels/dense_view.hpp"
#include "matrices/dense_matrix.hpp"
#include "solver/report.hpp"

namespace frond {

/// The larger of both errors, each relative to its target: 10 eps componentwise, the accuracy target normwise. At most 1 when there
/// is nothing to refine.
template <Scalar S>
[[nodiscard]] double refinement_error(const ColumnReport& report);

/// Solves op(A) X = B and corrects each column by the solution for its residual, as long as
///   - its refinement_error() is above 1, and
///   - the last correction halved it, and
///   - max_steps are not used up.
/// The best iterate is kept. A column of zeros gives zeros.
///
///   for (RefinementCourse<S> course(b, x, reports, max_steps); !course.ended(); course.advance()) {
///     solve(course.work());                                              // in place, all columns together
///     for (Index k = 0; k < course.work().cols; ++k) {                   // in any order, or at the same time
///       course.form_candidate(k);                                        // work().column(k), a better x perhaps
///       course.judge(k, measure(course.right_side(k), course.candidate(k), course.residual(k)));
///     }
///   }
template <Scalar S>
class RefinementCourse {
 public:
  /// One report per column of B. b, x and reports must outlive this object.
  RefinementCourse(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports, int max_steps);

  [[nodiscard]] bool ended() const { return columns_.empty(); }

  /// One column for each of those of B that are worked on: first B, then residuals.
  [[nodiscard]] DenseView<S> work();
  void form_candidate(Index k);
  void judge(Index k, const ColumnReport& measured);
  void advance();

  [[nodiscard]] std::span<const S> right_side(Index k) const;
  [[nodiscard]] std::span<const S> candidate(Index k) const { return work_.column(k); }
  [[nodiscard]] std::span<S> residual(Index k) { return residuals_.column(k); }  ///< of the candidate

 private:
  [[nodiscard]] Index column(Index k) const { return columns_[static_cast<std::size_t>(k)]; }

  DenseView<const S> b_;
  DenseView<S> x_;
  std::span<ColumnReport> reports_;
  int max_steps_;
  int step_ = 0;
  std::vector<Index> columns_;  // of B that are worked on
  std::vector<char> stays_;     // [k]: another correction of column k may be worth it
  DenseMatrix<S> work_;
  DenseMatrix<S> residuals_;
};

}  // namespace frond
