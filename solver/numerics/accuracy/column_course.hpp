// SPDX-License-Identifier: BSD-3-Clause
// What single columns do after RefinementCourse, independent of how solves and measurements are done.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/options.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// Improves one column of X. The best iterate is kept.
///
///   while (!course.ended()) {
///     if (course.solves()) solve(course.work());                                                 // in place
///     course.take(measure(course.right_side(), course.candidate(), course.residual(), course.correction()));
///   }
template <Scalar S>
class ColumnCourse {
 public:
  virtual ~ColumnCourse() = default;

  [[nodiscard]] bool ended() const { return has_ended_; }
  [[nodiscard]] virtual bool solves() const = 0;
  [[nodiscard]] DenseView<S> work();
  [[nodiscard]] virtual std::span<const S> right_side() const = 0;
  [[nodiscard]] std::span<const S> candidate() const { return work_; }
  [[nodiscard]] std::span<S> residual() { return residual_; }
  [[nodiscard]] virtual std::span<const S> correction() const = 0;  ///< the change that gave the candidate of x, or empty
  virtual void take(const ColumnReport& measured) = 0;              ///< the residual and errors of the candidate

 protected:
  /// b, x and report, which is that of x, must outlive this object.
  ColumnCourse(std::span<const S> b, std::span<S> x, ColumnReport& report, const RefinementOptions& options)
      : b_(b), x_(x), report_(report), options_(options), work_(x.begin(), x.end()), residual_(b.size()) {}
  void end() { has_ended_ = true; }
  /// Makes the candidate x if it is better than x.
  bool keep_if_better(const ColumnReport& measured, int refinement_steps, int krylov_steps);

  std::span<const S> b_;
  std::span<S> x_;
  ColumnReport& report_;
  RefinementOptions options_;
  std::vector<S> work_;
  std::vector<S> residual_;

 private:
  bool has_ended_ = false;
};

/// The next course that a column wants after `turn` others, which is increased: DoubledCourse, then KrylovCourse. Null if none.
/// `sizes()` are those of the equations, from ErrorScale::sizes().
template <Scalar S>
[[nodiscard]] std::unique_ptr<ColumnCourse<S>> next_course(int& turn, std::span<const S> b, std::span<S> x, ColumnReport& report,
                                                           const RefinementOptions& options,
                                                           const std::function<std::vector<RealOf<S>>()>& sizes);

}  // namespace frond
