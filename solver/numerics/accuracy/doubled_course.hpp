// SPDX-License-Identifier: BSD-3-Clause
// Refines corrections before they are added, which gives x in twice the working precision before it is rounded.
#pragma once

#include <span>
#include <vector>

#include "solver/numerics/accuracy/column_course.hpp"

namespace frond {

/// Solves op(A) c = r for the residual r of x, refines c by the solutions for its own residuals, and then adds it to x. One
/// correction leaves in each unknown an error of the size of rounding in the largest, so that the equations of unknowns that are
/// that small are never met; this one leaves the rounding of that rounding (Demmel, Hida, Kahan, Li, Mukherjee & Riedy 2006, "Error
/// bounds from extra-precise iterative refinement", carry x in twice the precision to the same end). What is no larger than that
/// may well be 0: it is tried with zeros, too.
template <Scalar S>
class DoubledCourse final : public ColumnCourse<S> {
 public:
  DoubledCourse(std::span<const S> b, std::span<S> x, ColumnReport& report, const RefinementOptions& options)
      : ColumnCourse<S>(b, x, report, options) {}

  [[nodiscard]] bool solves() const override { return stage_ == Stage::solves; }
  [[nodiscard]] std::span<const S> right_side() const override { return solves() ? std::span<const S>(side_) : this->b_; }
  [[nodiscard]] std::span<const S> correction() const override {
    return stage_ == Stage::adds ? std::span<const S>(change_) : std::span<const S>();
  }
  void take(const ColumnReport& measured) override;

 private:
  enum class Stage { measures, solves, adds };  // measures x; solves for the correction; adds it to x

  void begin_correction();
  void refine_correction();
  void judge(const ColumnReport& measured);
  void drop_rounding_errors();

  Stage stage_ = Stage::measures;
  int num_corrections_ = 0;
  int num_solves_ = 0;  // for this correction
  double last_size_ = 0;
  bool has_dropped_ = false;   // of the sum
  bool has_improved_ = false;  // x, by this correction
  std::vector<S> side_;        // the residual of x, then those of the correction
  std::vector<S> change_;      // the correction
};

/// Whether some equation is not met, be it among rounding errors, and refinement may take more steps.
[[nodiscard]] bool wants_doubled(const ColumnReport& report, const RefinementOptions& options);

}  // namespace frond
