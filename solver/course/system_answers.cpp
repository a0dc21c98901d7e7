// SPDX-License-Identifier: BSD-3-Clause
// Computes results on the leader, with solves in which all take part.
#include "solver/course/system_answers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/sweeps/sparse_sides.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
LedSides<S>::LedSides(const Team& team, Index order, DenseView<const S> b, DenseView<S> x) {
  sides_.num_columns = b.cols;
  share_value(team, sides_.num_columns);
  team.agree([&] {
    const bool wants_x = x.rows > 0;
    if (team.leads()) {
      check_right_hand_sides(order, b, x);
    } else if (wants_x && (x.rows != order || x.cols != sides_.num_columns || x.ld < order)) {
      throw UsageError(fmt::format("X is {} by {} here, with leading dimension {}, but rank 0 solves for {} by {}", x.rows, x.cols,
                                   x.ld, order, sides_.num_columns));
    }
    rows_ = all_rows(order);
    sides_.b = all_or_nothing<const S>(team.leads(), rows_, b);
    sides_.x = all_or_nothing<S>(team.leads() || wants_x, rows_, x);
  });
}

template <Scalar S>
SolveReport SystemAnswers<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation) {
  check_factors_kept(backend_.state().kept);
  const Index order = backend_.symbolic().order();
  team().agree_on_leader([&] { check_sparse_sides(order, x.cols, b); });
  const bool has_x = team().leads() || x.rows > 0;
  Index num_columns = x.cols;
  share_value(team(), num_columns);
  team().agree([&] {
    if (has_x && x.cols != num_columns) {
      throw UsageError(fmt::format("X has {} columns here and {} on rank 0", x.cols, num_columns));
    }
  });
  return solve_by_blocks(num_columns, backend_.options().error_bounds, [&](Index begin, Index end, ErrorBounds bounds) {
    DenseMatrix<S> block;
    team().agree([&] { block = team().leads() ? dense_columns(b, begin, end) : DenseMatrix<S>(); });
    const LedSides<S> sides(team(), order, view_of(std::as_const(block)), has_x ? x.columns(begin, end) : DenseView<S>{});
    return system_.solve(sides.view(), operation, bounds);
  });
}

template <Scalar S>
NullSpace<S> SystemAnswers<S>::null_space(Operation operation) {
  check_factors_kept(backend_.state().kept);
  check_no_schur_complement(backend_.keeps_schur_complement());
  const SystemReport& system = backend_.report();
  const FactorizationReport& report = system.factorization;
  const Index order = backend_.symbolic().order();
  if (report.status == FactorizationStatus::not_positive_definite || (!backend_.has_factors() && !backend_.has_lower_factors())) {
    return unknown_null_space<S>(order);
  }
  if (may_hide_null_space(report)) {
    return hidden_null_space<S>(order);
  }
  const SystemMatrix<S> matrix = backend_.matrix();
  const StoredOperation stored = stored_operation(matrix.transposed, operation);
  NullSpace<S> space;
  backend_.lead([&](const SolveInPlace<S>& solve) {
    space = find_null_space<S>({matrix.stored, stored.operation, report.null_pivots, system.is_singular_by_condition,
                                backend_.options().factorization.num_threads},
                               solve);
    if (is_proved_singular(system.rank) && space.basis.num_cols != order - system.rank.highest) {
      space.note += fmt::format("{}the null space has dimension {}, which pivots do not show", space.note.empty() ? "" : "; ",
                                order - system.rank.highest);
    }
    if (stored.conjugated) {
      conjugate_entries<S>({space.basis.values.data(), order, space.basis.num_cols, std::max(order, Index{1})});
    }
  });
  share_list(team(), space.note);
  share_list(team(), space.backward_errors);
  share_value(team(), space.basis.num_rows);
  share_value(team(), space.basis.num_cols);
  return space;
}

template <Scalar S>
void SystemAnswers<S>::check_parts() {
  check_factors_kept(backend_.state().kept);
  check_no_schur_complement(backend_.keeps_schur_complement());
  if (!backend_.has_factors()) {
    throw_no_parts(backend_.has_lower_factors());
  }
}

template <Scalar S>
void SystemAnswers<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) {
  check_parts();
  const SystemMatrix<S> matrix = backend_.matrix();
  team().agree_on_leader([&] { check_in_place<S>(matrix.order(), x); });
  const StoredOperation stored = stored_operation(matrix.transposed, operation);
  const FactorPart stored_part = matrix.transposed ? transposed_part(part) : part;
  backend_.lead([&](const SolveInPlace<S>& solve) {
    if (stored.conjugated) {
      conjugate_entries(x);
    }
    solve({stored.operation, x, sweep_part(stored_part, stored.operation)});
    if (stored.conjugated) {
      conjugate_entries(x);
    }
  });
}

template <Scalar S>
InverseEntries<S> SystemAnswers<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) {
  check_factors_kept(backend_.state().kept);
  const PatternView& here = pattern;
  InverseEntries<S> entries;
  team().agree_on_leader([&] {
    check_inverse_pattern(backend_.symbolic().order(), here);
    entries.values.resize(here.row_indices.size());
  });
  const FactorizationStatus status = backend_.report().factorization.status;
  const bool may_be_regular = backend_.keeps_schur_complement() && status == FactorizationStatus::singular;
  if (status != FactorizationStatus::success && !may_be_regular) {
    team().agree([&] { entries = no_inverse<S>(team().leads() ? here : PatternView{}, status); });
    return entries;
  }
  entries.target = kAccuracyTarget<S>;
  const bool is_of_the_factors = accuracy != InverseAccuracy::refined && !backend_.keeps_schur_complement() &&
                                 !backend_.has_neighbours_factors() && find_entries(pattern, entries);
  if (!is_of_the_factors || entries.backward_error > entries.target) {
    refine_entries(pattern, entries);
  }
  if (entries.backward_error > entries.target) {
    entries.verdict = Verdict::accuracy_missed;
  }
  return entries;
}

// Columns with nearby places in the order share most of their path through the tree.
template <Scalar S>
std::vector<InverseBlock> SystemAnswers<S>::blocks_of(const PatternView& pattern, Operation operation) {
  std::vector<InverseBlock> blocks;
  team().agree_on_leader([&] {
    const Symbolic& symbolic = backend_.symbolic();
    const Permutation& place = operation == Operation::plain ? symbolic.row_permutation() : symbolic.permutation();
    blocks = inverse_blocks(pattern, place.inverse_perm, kSolveBlock);
  });
  return blocks;
}

template <Scalar S>
bool SystemAnswers<S>::find_entries(const PatternView& pattern, InverseEntries<S>& entries) {
  const SystemMatrix<S> matrix = backend_.matrix();
  const Operation operation = stored_operation(matrix.transposed, Operation::plain).operation;
  const std::vector<InverseBlock> blocks = blocks_of(pattern, operation);
  if (!backend_.find_entries(operation, pattern, blocks, entries.values)) {
    return false;
  }
  if (system_.may_stay_unmeasured()) {
    leave_unmeasured(static_cast<Index>(columns_of(blocks).size()), entries);
    share_value(team(), entries.num_columns);
    return true;
  }
  backend_.lead([&](const SolveInPlace<S>& solve) {
    const BackwardErrorMeter<S> meter(matrix.stored, operation, backend_.unknown_scales(operation));
    std::vector<S> residual(static_cast<std::size_t>(matrix.order()));
    const auto measure = [&](std::span<const S> b, std::span<const S> x) { return meter.measure(b, x, residual); };
    check_columns<S>(columns_of(blocks), matrix.order(), operation, solve, measure, entries);
  });
  share_value(team(), entries.backward_error);
  share_value(team(), entries.num_checked);
  share_value(team(), entries.num_columns);
  return true;
}

template <Scalar S>
void SystemAnswers<S>::refine_entries(const PatternView& pattern, InverseEntries<S>& entries) {
  const Index order = backend_.symbolic().order();
  const std::vector<InverseBlock> blocks = blocks_of(pattern, Operation::plain);
  auto num_blocks = static_cast<Index>(blocks.size());
  share_value(team(), num_blocks);
  entries.is_refined = true;
  entries.num_columns = 0;
  entries.backward_error = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(num_blocks); ++k) {
    DenseMatrix<S> units;
    DenseMatrix<S> x;
    team().agree_on_leader([&] {
      const auto num_columns = static_cast<Index>(blocks[k].columns.size());
      units = dense_columns(UnitVectors<S>(order, blocks[k].columns).view(), 0, num_columns);
      x = DenseMatrix<S>(order, num_columns);
    });
    const LedSides<S> sides(team(), order, view_of(std::as_const(units)), view_of(x));
    const SolveReport report = system_.solve(sides.view(), Operation::plain, ErrorBounds::never);
    if (report.columns.empty() || report.verdict == Verdict::singular) {
      team().agree([&] { entries = no_inverse<S>(team().leads() ? pattern : PatternView{}, FactorizationStatus::singular); });
      entries.verdict = report.verdict;
      return;
    }
    entries.backward_error = std::max(entries.backward_error, report.worst().normwise_backward_error);
    entries.num_columns += static_cast<Index>(report.columns.size());
    if (team().leads()) {
      take_entries_of_columns<S>(pattern, blocks[k], view_of(std::as_const(x)), entries.values);
    }
  }
  entries.num_checked = entries.num_columns;
}

FROND_INSTANTIATE_CLASS(LedSides)
FROND_INSTANTIATE_CLASS(SystemAnswers)

}  // namespace frond
