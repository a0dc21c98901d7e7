// SPDX-License-Identifier: BSD-3-Clause
// Refines where corrections by the factors alone do not converge: each correction by GMRES, preconditioned by the factors.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "solver/numerics/accuracy/column_course.hpp"

namespace frond {

/// Corrects x by solutions d of op(A) d = b - op(A) x, each found by flexible GMRES (Saad 1993) to some digits, preconditioned by
/// the factors from the right, in equations divided by their sizes, (|op(A)| |x| + |b|)_i, by which errors are judged: GMRES-based
/// refinement (Carson & Higham 2017), which converges with factors that are far too rough for plain refinement: of lower precision,
/// or with perturbed pivots. Continues until the errors meet refinement's targets, a correction halves neither the larger of the
/// two nor the residual, or the products with the matrix that the options allow are used up.
template <Scalar S>
class KrylovCourse final : public ColumnCourse<S> {
 public:
  /// `sizes` are those of the equations, from ErrorScale::sizes().
  KrylovCourse(std::span<const S> b, std::span<S> x, ColumnReport& report, std::vector<RealOf<S>> sizes,
               const RefinementOptions& options)
      : ColumnCourse<S>(b, x, report, options), sizes_(std::move(sizes)), zeros_(b.size()) {}

  [[nodiscard]] bool solves() const override { return expands_; }
  [[nodiscard]] std::span<const S> right_side() const override { return expands_ ? std::span<const S>(zeros_) : this->b_; }
  /// Empty before the first cycle has ended.
  [[nodiscard]] std::span<const S> correction() const override {
    return expands_ ? std::span<const S>() : std::span<const S>(change_);
  }
  void take(const ColumnReport& measured) override;

 private:
  using R = RealOf<S>;

  void judge(const ColumnReport& measured);
  void begin_cycle(double norm);
  void expand();
  void end_cycle();
  [[nodiscard]] R size_of_equation(std::size_t i) const { return sizes_[i] > 0 ? sizes_[i] : R(1); }

  std::vector<R> sizes_;
  int num_steps_ = 0;
  bool expands_ = false;  // whether the space grows; otherwise x is measured
  double last_error_ = std::numeric_limits<double>::infinity();
  double last_norm_ = std::numeric_limits<double>::infinity();
  std::vector<S> zeros_;
  std::vector<S> iterate_;
  std::vector<S> change_;

  // For a cycle of GMRES:
  double first_norm_ = 0;
  std::vector<std::vector<S>> basis_;
  std::vector<std::vector<S>> directions_;  // that the factors make from the basis
  std::vector<std::vector<S>> triangle_;    // columns of R
  std::vector<R> cosines_;
  std::vector<S> sines_;
  std::vector<S> right_;  // Q^H beta e_1
};

/// Whether GMRES should take over from a refinement that ended with this report.
template <Scalar S>
[[nodiscard]] bool wants_krylov(const ColumnReport& report, const RefinementOptions& options);

}  // namespace frond
