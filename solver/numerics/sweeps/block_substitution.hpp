// SPDX-License-Identifier: BSD-3-Clause
// Solves with a matrix when only the levels of its block triangular form are factorized.
#pragma once

#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/sweeps/solve_plan.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// The couplings of a matrix, which supplement the factors of its levels (see BlockTriangularForm). Immutable.
template <Scalar S>
class CoupledLevels {
 public:
  /// `values` are those of all analysed entries; those of the couplings are copied. `symbolic`, which has a form that splits, must
  /// outlive this object. `plan` is that of its tree.
  CoupledLevels(const Symbolic& symbolic, const SolvePlan& plan, std::span<const S> values);

  [[nodiscard]] Index num_levels() const { return static_cast<Index>(trees_.size()); }
  [[nodiscard]] const EliminatedTrees& trees(Index level) const { return trees_[level]; }
  /// In the order of their places in the trees.
  [[nodiscard]] std::span<const Index> rows(Index level) const { return trees(level).rows; }
  [[nodiscard]] std::span<const Index> columns(Index level) const { return trees(level).columns; }

  /// b := b - N x with the unknowns of one level.
  void subtract_product(Index level, DenseView<const S> x, DenseView<S> b) const;
  /// The equations of one level of b := b - op(N) x, op not plain.
  void subtract_transposed_product(Index level, Operation operation, DenseView<const S> x, DenseView<S> b) const;

 private:
  template <class Visit>
  void for_each_coupling(Index level, const Visit& visit) const;

  const SelectedEntries* couplings_;
  std::vector<S> values_;               // of the couplings
  std::vector<EliminatedTrees> trees_;  // of each level
};

inline constexpr Index kAllLevels = -1;

/// X := op(A)^-1 X, or a part of it, as a sequence of solves with D:
///
///   for (BlockSubstitution<S> course(levels, sweep); !course.ended(); course.take()) {
///     solve(course.sweep()), for course.level(), with the factors of D
///   }
///
/// With D = L U, scaled and permuted, A = L (U + L^-1 N): one factor is that of D, the other one takes a solve with both factors of
/// D for each level but the first. Right-hand sides and solutions are zero outside the current level.
template <Scalar S>
class BlockSubstitution {
 public:
  /// `levels` and x must outlive this object.
  BlockSubstitution(const CoupledLevels<S>& levels, const Sweep<S>& sweep);

  [[nodiscard]] bool ended() const { return next_ == stages_.size(); }
  [[nodiscard]] Index level() const { return stages_[next_].level; }  ///< or kAllLevels
  [[nodiscard]] Sweep<S> sweep() { return {operation_, sides(), stages_[next_].part}; }
  /// Takes the solution in the sides of sweep().
  void take();

 private:
  struct Stage {
    SweepPart part;
    Index level;
  };

  [[nodiscard]] DenseView<S> sides();
  void plan_levels();
  void prepare();
  void prepare_whole(Index level);
  void prepare_coupled_part(const Stage& stage);
  void take_whole(Index level);
  void take_coupled_part(const Stage& stage);
  void clear_sides(Index level);
  [[nodiscard]] bool is_plain() const { return operation_ == Operation::plain; }
  // The only part of a solve in which levels are coupled.
  [[nodiscard]] SweepPart coupled_part() const { return is_plain() ? SweepPart::second : SweepPart::first; }
  [[nodiscard]] std::span<const Index> equations(Index level) const {
    return is_plain() ? levels_.rows(level) : levels_.columns(level);
  }
  [[nodiscard]] std::span<const Index> unknowns(Index level) const {
    return is_plain() ? levels_.columns(level) : levels_.rows(level);
  }

  const CoupledLevels<S>& levels_;
  SweepPart part_;
  Operation operation_;
  DenseView<S> x_;
  std::vector<Stage> stages_;
  std::size_t next_ = 0;
  DenseMatrix<S> given_;    // the original X, minus the products with solved unknowns
  DenseMatrix<S> between_;  // for the coupled part: plain, minus the products so far; otherwise the unknowns so far
  DenseMatrix<S> sides_;
};

}  // namespace frond
