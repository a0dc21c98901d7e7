// SPDX-License-Identifier: BSD-3-Clause
// What else the factors of a system tell: its null space, entries of the inverse; sparse right-hand sides, parts of the factors.
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>
#include <vector>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/matrix_view.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "matrices/error.hpp"
#include "solver/answers/inverse_check.hpp"
#include "solver/answers/null_space.hpp"
#include "solver/factorization.hpp"
#include "solver/sweeps/solve.hpp"
#include "solver/sweeps/sparse_sides.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

// In postorder, level after level: couplings are then above the diagonal.
std::vector<NodeId> nodes_by_levels(const Symbolic& symbolic) {
  const AssemblyTree& tree = symbolic.tree();
  std::vector<NodeId> nodes(static_cast<std::size_t>(tree.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  if (symbolic.blocks().splits()) {
    const auto level_of = [&](NodeId node) {
      const Index column = symbolic.permutation().perm[static_cast<std::size_t>(tree.variable_begin(node))];
      return symbolic.blocks().level_of_column[static_cast<std::size_t>(column)];
    };
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return level_of(a) < level_of(b); });
  }
  return nodes;
}

}  // namespace

template <Scalar S>
SolveReport Factorization<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation) const {
  check_sparse_sides(matrix_.order(), x.cols, b);
  return solve_by_blocks(x.cols, options_.error_bounds, [&](Index begin, Index end, ErrorBounds bounds) {
    const DenseMatrix<S> block = dense_columns(b, begin, end);
    return solve_and_bound(view_of(block), x.columns(begin, end), operation, bounds);
  });
}

template <Scalar S>
InverseEntries<S> Factorization<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) const {
  check_factors_kept(options_.factorization.kept);
  check_inverse_pattern(matrix_.order(), pattern);
  const FactorizationStatus status = state_.report.factorization.status;
  const bool may_be_regular = keeps_schur_complement() && status == FactorizationStatus::singular;
  if (status != FactorizationStatus::success && !may_be_regular) {
    return no_inverse<S>(pattern, status);
  }
  InverseEntries<S> entries;
  entries.values.resize(pattern.row_indices.size());
  entries.target = kAccuracyTarget<S>;
  const bool is_of_the_factors = !lower_factors_ && !keeps_schur_complement() &&
                                 state_.report.factorization.num_perturbed_pivots == 0 && are_entries_of_levels(pattern);
  const bool is_refined = accuracy == InverseAccuracy::refined || !is_of_the_factors;
  if (!is_refined) {
    find_entries(pattern, entries);
  }
  if (is_refined || entries.backward_error > entries.target) {
    refine_entries(pattern, entries);
  }
  if (entries.backward_error > entries.target) {
    entries.verdict = Verdict::accuracy_missed;
  }
  return entries;
}

template <Scalar S>
void Factorization<S>::refine_entries(const PatternView& pattern, InverseEntries<S>& entries) const {
  const Index order = matrix_.order();
  entries.is_refined = true;
  entries.num_columns = 0;
  entries.backward_error = 0;
  for (const InverseBlock& block : inverse_blocks(pattern, symbolic_->row_permutation().inverse_perm, kSolveBlock)) {
    const auto num_columns = static_cast<Index>(block.columns.size());
    const DenseMatrix<S> units = dense_columns(UnitVectors<S>(order, block.columns).view(), 0, num_columns);
    DenseMatrix<S> x(order, num_columns);
    const SolveReport report = solve_and_bound(view_of(units), view_of(x), Operation::plain, ErrorBounds::never);
    if (report.columns.empty() || report.verdict == Verdict::singular) {
      entries = no_inverse<S>(pattern, FactorizationStatus::singular);
      entries.verdict = report.verdict;
      return;
    }
    entries.backward_error = std::max(entries.backward_error, report.worst().normwise_backward_error);
    entries.num_columns += num_columns;
    take_entries_of_columns<S>(pattern, block, view_of(x), entries.values);
  }
  entries.num_checked = entries.num_columns;
}

// Within a level entries of the inverse are those of the level's, and below they are zero. Couplings come in above.
template <Scalar S>
bool Factorization<S>::are_entries_of_levels(const PatternView& pattern) const {
  const BlockTriangularForm& blocks = symbolic_->blocks();
  const auto at = [](const std::vector<Index>& levels, Index k) { return levels[static_cast<std::size_t>(k)]; };
  for (Index column = 0; column < pattern.num_cols && state_.levels; ++column) {
    for (auto e = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column)]);
         e < static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(column) + 1]); ++e) {
      const Index row = pattern.row_indices[e];
      const bool is_above = matrix_.transposed ? at(blocks.level_of_column, column) < at(blocks.level_of_row, row)
                                               : at(blocks.level_of_column, row) < at(blocks.level_of_row, column);
      if (is_above) {
        return false;
      }
    }
  }
  return true;
}

// Blocks of columns side by side. A thread that waits within one takes no part in another: there is memory for one block a thread.
template <Scalar S>
void Factorization<S>::find_entries(const PatternView& pattern, InverseEntries<S>& entries) const {
  const StoredOperation stored = stored_operation(matrix_.transposed, Operation::plain);
  const Permutation& place = stored.operation == Operation::plain ? symbolic_->row_permutation() : symbolic_->permutation();
  const std::vector<InverseBlock> blocks = inverse_blocks(pattern, place.inverse_perm, kSolveBlock);
  const int wanted = options_.factorization.num_threads;
  const BlasThreadsGuard guard(wanted > 0 ? wanted : tbb::info::default_concurrency());
  tbb::task_arena arena(guard.num_threads());
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t k) {
      tbb::this_task_arena::isolate([&] {
        const InverseBlock& block = blocks[k];
        const UnitVectors<S> units(matrix_.order(), block.columns);
        DenseMatrix<S> x(static_cast<Index>(block.rows.size()), static_cast<Index>(block.columns.size()));
        solve_selected<S>(*factors_, plan_, stored.operation, units.view(), block.rows, view_of(x));
        take_entries<S>(pattern, block, view_of(x), entries.values);
      });
    });
  });
  on_threads(wanted, [&] {
    const BackwardErrorMeter<S> meter(matrix_.stored, stored.operation, unknown_scales(stored.operation));
    check_columns<S>(blocks, matrix_.order(), stored.operation, meter, solve_in_place(), entries);
  });
}

template <Scalar S>
SolvePart<S> Factorization<S>::solve_parts_in_place() const {
  return [this](SweepPart part, Operation operation, DenseView<S> x) {
    for (Index begin = 0; begin < x.cols; begin += kSolveBlock) {
      solve_with_all_levels(part, operation, x.columns(begin, std::min(x.cols, begin + kSolveBlock)));
    }
  };
}

template <Scalar S>
NullSpace<S> Factorization<S>::null_space(Operation operation) const {
  if (const Factorization* full = fallback(); full != nullptr) {
    return full->null_space(operation);
  }
  check_factors_kept(options_.factorization.kept);
  check_no_schur_complement(keeps_schur_complement());
  const FactorizationReport& report = state_.report.factorization;
  if (report.status == FactorizationStatus::not_positive_definite || (!factors_ && !lower_factors_)) {
    return unknown_null_space<S>(matrix_.order());
  }
  if (may_hide_null_space(report)) {
    return hidden_null_space<S>(matrix_.order());
  }
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  NullSpace<S> space = find_null_space<S>({matrix_.stored, stored.operation, report.null_pivots,
                                           state_.report.is_singular_by_condition, options_.factorization.num_threads},
                                          solve_parts_in_place());
  if (stored.conjugated) {
    conjugate_entries<S>(
        {space.basis.values.data(), space.basis.num_rows, space.basis.num_cols, std::max(matrix_.order(), Index{1})});
  }
  return space;
}

template <Scalar S>
void Factorization<S>::check_parts() const {
  check_factors_kept(options_.factorization.kept);
  check_no_schur_complement(keeps_schur_complement());
  if (!factors_) {
    throw_no_parts(lower_factors_.has_value());
  }
}

template <Scalar S>
void Factorization<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) const {
  check_parts();
  check_in_place<S>(matrix_.order(), x);
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  if (stored.conjugated) {
    conjugate_entries(x);
  }
  const FactorPart stored_part = matrix_.transposed ? transposed_part(part) : part;
  solve_parts_in_place()(sweep_part(stored_part, stored.operation), stored.operation, x);
  if (stored.conjugated) {
    conjugate_entries(x);
  }
}

template <Scalar S>
FactorOrder<S> Factorization<S>::factor_order() const {
  check_parts();
  FactorOrder<S> order;
  for (const NodeId node : nodes_by_levels(*symbolic_)) {
    const FrontFactor<S>& front = factors_->front(node);
    for (Index k = 0; k < front.num_eliminated; ++k) {
      order.rows.push_back(symbolic_->row_perm()[static_cast<std::size_t>(front.row_variables[k])]);
      order.cols.push_back(symbolic_->permutation().perm[static_cast<std::size_t>(front.col_variables[k])]);
    }
  }
  order.pivots = order.rows;
  order.row_scaling.assign(factors_->row_scaling().begin(), factors_->row_scaling().end());
  order.col_scaling.assign(factors_->col_scaling().begin(), factors_->col_scaling().end());
  if (matrix_.transposed) {
    std::swap(order.rows, order.cols);
    std::swap(order.row_scaling, order.col_scaling);
  }
  return order;
}

template SolveReport Factorization<float>::solve_sparse(const MatrixView<float>&, DenseView<float>, Operation) const;
template InverseEntries<float> Factorization<float>::inverse_entries(const PatternView&, InverseAccuracy) const;
template void Factorization<float>::refine_entries(const PatternView&, InverseEntries<float>&) const;
template void Factorization<float>::find_entries(const PatternView&, InverseEntries<float>&) const;
template bool Factorization<float>::are_entries_of_levels(const PatternView&) const;
template SolvePart<float> Factorization<float>::solve_parts_in_place() const;
template NullSpace<float> Factorization<float>::null_space(Operation) const;
template void Factorization<float>::check_parts() const;
template void Factorization<float>::solve_part(FactorPart, Operation, DenseView<float>) const;
template FactorOrder<float> Factorization<float>::factor_order() const;
template SolveReport Factorization<double>::solve_sparse(const MatrixView<double>&, DenseView<double>, Operation) const;
template InverseEntries<double> Factorization<double>::inverse_entries(const PatternView&, InverseAccuracy) const;
template void Factorization<double>::refine_entries(const PatternView&, InverseEntries<double>&) const;
template void Factorization<double>::find_entries(const PatternView&, InverseEntries<double>&) const;
template bool Factorization<double>::are_entries_of_levels(const PatternView&) const;
template SolvePart<double> Factorization<double>::solve_parts_in_place() const;
template NullSpace<double> Factorization<double>::null_space(Operation) const;
template void Factorization<double>::check_parts() const;
template void Factorization<double>::solve_part(FactorPart, Operation, DenseView<double>) const;
template FactorOrder<double> Factorization<double>::factor_order() const;
template SolveReport Factorization<std::complex<float>>::solve_sparse(const MatrixView<std::complex<float>>&,
                                                                      DenseView<std::complex<float>>, Operation) const;
template InverseEntries<std::complex<float>> Factorization<std::complex<float>>::inverse_entries(const PatternView&,
                                                                                                 InverseAccuracy) const;
template void Factorization<std::complex<float>>::refine_entries(const PatternView&, InverseEntries<std::complex<float>>&) const;
template void Factorization<std::complex<float>>::find_entries(const PatternView&, InverseEntries<std::complex<float>>&) const;
template bool Factorization<std::complex<float>>::are_entries_of_levels(const PatternView&) const;
template SolvePart<std::complex<float>> Factorization<std::complex<float>>::solve_parts_in_place() const;
template NullSpace<std::complex<float>> Factorization<std::complex<float>>::null_space(Operation) const;
template void Factorization<std::complex<float>>::check_parts() const;
template void Factorization<std::complex<float>>::solve_part(FactorPart, Operation, DenseView<std::complex<float>>) const;
template FactorOrder<std::complex<float>> Factorization<std::complex<float>>::factor_order() const;
template SolveReport Factorization<std::complex<double>>::solve_sparse(const MatrixView<std::complex<double>>&,
                                                                       DenseView<std::complex<double>>, Operation) const;
template InverseEntries<std::complex<double>> Factorization<std::complex<double>>::inverse_entries(const PatternView&,
                                                                                                   InverseAccuracy) const;
template void Factorization<std::complex<double>>::refine_entries(const PatternView&, InverseEntries<std::complex<double>>&) const;
template void Factorization<std::complex<double>>::find_entries(const PatternView&, InverseEntries<std::complex<double>>&) const;
template bool Factorization<std::complex<double>>::are_entries_of_levels(const PatternView&) const;
template SolvePart<std::complex<double>> Factorization<std::complex<double>>::solve_parts_in_place() const;
template NullSpace<std::complex<double>> Factorization<std::complex<double>>::null_space(Operation) const;
template void Factorization<std::complex<double>>::check_parts() const;
template void Factorization<std::complex<double>>::solve_part(FactorPart, Operation, DenseView<std::complex<double>>) const;
template FactorOrder<std::complex<double>> Factorization<std::complex<double>>::factor_order() const;

}  // namespace frond
