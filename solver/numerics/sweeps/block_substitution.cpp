// SPDX-License-Identifier: BSD-3-Clause
// Works level by level: moves known unknowns to the right-hand side, and solves with the level.
#include "solver/numerics/sweeps/block_substitution.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "matrices/symmetry.hpp"

namespace frond {
namespace {

// Copies these rows of `from` to `to`.
template <Scalar S>
void copy_rows_of(std::span<const Index> rows, DenseView<const S> from, DenseView<S> to) {
  for (Index j = 0; j < to.cols; ++j) {
    for (const Index row : rows) {
      to(row, j) = from(row, j);
    }
  }
}

template <Scalar S>
void add_rows_of(std::span<const Index> rows, DenseView<const S> from, DenseView<S> to) {
  for (Index j = 0; j < to.cols; ++j) {
    for (const Index row : rows) {
      to(row, j) += from(row, j);
    }
  }
}

// [level] = its trees.
std::vector<EliminatedTrees> trees_of_levels(const Symbolic& symbolic, const SolvePlan& plan) {
  const AssemblyTree& tree = symbolic.tree();
  const auto num_levels = static_cast<std::size_t>(symbolic.blocks().num_levels);
  std::vector<EliminatedTrees> trees(num_levels);
  std::vector<std::vector<char>> is_in(num_levels, std::vector<char>(static_cast<std::size_t>(tree.num_nodes()), 0));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const Index begin = tree.variable_begin(node);
    for (Index variable = begin; variable < begin + tree.num_fully_summed(node); ++variable) {
      const Index column = symbolic.permutation().perm[variable];
      const auto level = static_cast<std::size_t>(symbolic.blocks().level_of_column[column]);
      trees[level].rows.push_back(symbolic.row_perm()[variable]);
      trees[level].columns.push_back(column);
      is_in[level][node] = 1;
    }
  }
  for (std::size_t level = 0; level < num_levels; ++level) {
    trees[level].nodes = SweepNodes(tree, plan, std::move(is_in[level]));
  }
  return trees;
}

}  // namespace

template <Scalar S>
CoupledLevels<S>::CoupledLevels(const Symbolic& symbolic, const SolvePlan& plan, std::span<const S> values)
    : couplings_(&symbolic.couplings()), trees_(trees_of_levels(symbolic, plan)) {
  values_.reserve(couplings_->sources.size());
  for (const Count source : couplings_->sources) {
    values_.push_back(values[source]);
  }
}

// Calls visit(row, column, value) for the couplings in the columns of a level.
template <Scalar S>
template <class Visit>
void CoupledLevels<S>::for_each_coupling(Index level, const Visit& visit) const {
  for (const Index column : columns(level)) {
    const auto j = static_cast<std::size_t>(column);
    for (auto e = static_cast<std::size_t>(couplings_->column_offsets[j]);
         e < static_cast<std::size_t>(couplings_->column_offsets[j + 1]); ++e) {
      visit(couplings_->row_indices[e], column, values_[e]);
    }
  }
}

template <Scalar S>
void CoupledLevels<S>::subtract_product(Index level, DenseView<const S> x, DenseView<S> b) const {
  tbb::parallel_for(Index{0}, b.cols, [&](Index k) {
    for_each_coupling(level, [&](Index row, Index column, S value) { b(row, k) -= value * x(column, k); });
  });
}

template <Scalar S>
void CoupledLevels<S>::subtract_transposed_product(Index level, Operation operation, DenseView<const S> x, DenseView<S> b) const {
  tbb::parallel_for(Index{0}, b.cols, [&](Index k) {
    for_each_coupling(level, [&](Index row, Index column, S value) {
      b(column, k) -= (operation == Operation::adjoint ? conjugate(value) : value) * x(row, k);
    });
  });
}

template <Scalar S>
BlockSubstitution<S>::BlockSubstitution(const CoupledLevels<S>& levels, const Sweep<S>& sweep)
    : levels_(levels), part_(sweep.part), operation_(sweep.operation), x_(sweep.x) {
  if (part_ != SweepPart::whole && part_ != coupled_part()) {
    stages_ = {{part_, kAllLevels}};
    return;
  }
  plan_levels();
  given_ = DenseMatrix<S>(x_.rows, x_.cols);
  sides_ = DenseMatrix<S>(x_.rows, x_.cols);
  for (Index j = 0; j < x_.cols; ++j) {
    std::copy_n(x_.column(j), x_.rows, given_.column(j).begin());
  }
  if (part_ != SweepPart::whole) {
    between_ = DenseMatrix<S>(x_.rows, x_.cols);
  }
  prepare();
}

// For a coupled part: plain, products are moved from equations to pivots before the pivots are solved; otherwise unknowns are
// computed from the pivots, for the following levels.
template <Scalar S>
void BlockSubstitution<S>::plan_levels() {
  for (Index k = 0; k < levels_.num_levels(); ++k) {
    const Index level = is_plain() ? levels_.num_levels() - 1 - k : k;
    const bool has_before = k > 0;
    const bool has_behind = k + 1 < levels_.num_levels();
    if (part_ == SweepPart::whole) {
      stages_.push_back({SweepPart::whole, level});
      continue;
    }
    if (!is_plain() || has_before) {
      stages_.push_back({SweepPart::first, level});
    }
    if (is_plain() || has_behind) {
      stages_.push_back({SweepPart::second, level});
    }
  }
}

template <Scalar S>
DenseView<S> BlockSubstitution<S>::sides() {
  return stages_[next_].level == kAllLevels ? x_ : view_of(sides_);
}

template <Scalar S>
void BlockSubstitution<S>::prepare() {
  const Stage& stage = stages_[next_];
  if (part_ == SweepPart::whole) {
    prepare_whole(stage.level);
  } else {
    prepare_coupled_part(stage);
  }
}

template <Scalar S>
void BlockSubstitution<S>::prepare_whole(Index level) {
  if (!is_plain()) {
    levels_.subtract_transposed_product(level, operation_, x_, view_of(given_));
  }
  copy_rows_of<S>(equations(level), view_of(given_), view_of(sides_));
}

template <Scalar S>
void BlockSubstitution<S>::prepare_coupled_part(const Stage& stage) {
  const std::span<const Index> pivots = levels_.rows(stage.level);
  if (is_plain()) {
    copy_rows_of<S>(pivots, stage.part == SweepPart::first ? view_of(between_) : view_of(given_), view_of(sides_));
  } else if (stage.part == SweepPart::first) {
    levels_.subtract_transposed_product(stage.level, operation_, view_of(between_), view_of(given_));
    copy_rows_of<S>(equations(stage.level), view_of(given_), view_of(sides_));
  } else {
    copy_rows_of<S>(pivots, x_, view_of(sides_));
  }
}

template <Scalar S>
void BlockSubstitution<S>::take() {
  const Stage stage = stages_[next_++];
  if (stage.level == kAllLevels) {
    return;
  }
  if (part_ == SweepPart::whole) {
    take_whole(stage.level);
  } else {
    take_coupled_part(stage);
  }
  clear_sides(stage.level);
  if (!ended()) {
    prepare();
  }
}

template <Scalar S>
void BlockSubstitution<S>::take_whole(Index level) {
  copy_rows_of<S>(unknowns(level), view_of(sides_), x_);
  if (is_plain()) {
    levels_.subtract_product(level, x_, view_of(given_));
  }
}

template <Scalar S>
void BlockSubstitution<S>::take_coupled_part(const Stage& stage) {
  const std::span<const Index> pivots = levels_.rows(stage.level);
  if (is_plain() && stage.part == SweepPart::first) {
    add_rows_of<S>(pivots, view_of(sides_), view_of(given_));
  } else if (is_plain()) {
    copy_rows_of<S>(unknowns(stage.level), view_of(sides_), x_);
    levels_.subtract_product(stage.level, x_, view_of(between_));
  } else if (stage.part == SweepPart::first) {
    copy_rows_of<S>(pivots, view_of(sides_), x_);
  } else {
    copy_rows_of<S>(unknowns(stage.level), view_of(sides_), view_of(between_));
  }
}

template <Scalar S>
void BlockSubstitution<S>::clear_sides(Index level) {
  for (const std::span<const Index> rows : {levels_.rows(level), levels_.columns(level)}) {
    for (Index j = 0; j < x_.cols; ++j) {
      for (const Index row : rows) {
        sides_(row, j) = S(0);
      }
    }
  }
}

FROND_INSTANTIATE_CLASS(CoupledLevels)
FROND_INSTANTIATE_CLASS(BlockSubstitution)

}  // namespace frond
