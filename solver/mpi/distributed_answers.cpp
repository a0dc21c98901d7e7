// SPDX-License-Identifier: BSD-3-Clause
// What else factors on several ranks tell: null spaces, parts of the factors, entries of the inverse. Rank 0 leads.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/kernels/matrix_view.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "matrices/error.hpp"
#include "solver/answers/inverse_check.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/sweeps/solve.hpp"
#include "solver/sweeps/sparse_sides.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_sparse(const MatrixView<S>& b, DenseView<S> x, Operation operation,
                                                      SolutionPlace place) {
  const Communicator& ranks = system_->ranks();
  const bool is_first = ranks.rank() == 0;
  const bool has_x = is_first || place == SolutionPlace::all_ranks;
  agree(ranks, [&] {
    if (is_first) {
      check_sparse_sides(system_->symbolic()->order(), x.cols, b);
    }
  });
  Index num_columns = x.cols;
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&num_columns, 1)));
  agree(ranks, [&] {
    if (has_x && x.cols != num_columns) {
      throw UsageError(fmt::format("X has {} columns here and {} on rank 0", x.cols, num_columns));
    }
  });
  return solve_by_blocks(num_columns, system_->options().solver.error_bounds, [&](Index begin, Index end, ErrorBounds bounds) {
    DenseMatrix<S> block;
    agree(ranks, [&] { block = is_first ? dense_columns(b, begin, end) : DenseMatrix<S>(); });
    return solve_and_bound(is_first ? view_of(std::as_const(block)) : DenseView<const S>{},
                           has_x ? x.columns(begin, end) : DenseView<S>{}, operation, place, bounds);
  });
}

template <Scalar S>
InverseEntries<S> DistributedFactorization<S>::inverse_diagonal(InverseAccuracy accuracy) {
  std::optional<DiagonalPattern> diagonal;
  agree(system_->ranks(), [&] {
    if (system_->ranks().rank() == 0) {
      diagonal.emplace(system_->symbolic()->order());
    }
  });
  return inverse_entries(diagonal ? diagonal->view() : PatternView{}, accuracy);
}

template <Scalar S>
NullSpace<S> DistributedFactorization<S>::null_space(Operation operation, SolutionPlace place) {
  const Communicator& ranks = system_->ranks();
  check_factors_kept(state_.kept);
  check_no_schur_complement(keeps_schur_complement());  // on all ranks alike
  const FactorizationReport& report = state_.report.factorization;
  const Index order = system_->symbolic()->order();
  if (report.status == FactorizationStatus::not_positive_definite || (!factors_ && !lower_factors_)) {
    return unknown_null_space<S>(order);
  }
  if (may_hide_null_space(report)) {
    return hidden_null_space<S>(order);
  }
  const SystemMatrix<S> matrix = system_->matrix();
  const StoredOperation stored = stored_operation(matrix.transposed, operation);
  NullSpace<S> space;
  lead([&](const SolvePart<S>& solve) {
    space = find_null_space<S>({matrix.stored, stored.operation, report.null_pivots, state_.report.is_singular_by_condition,
                                system_->options().solver.factorization.num_threads},
                               solve);
    if (stored.conjugated) {
      conjugate_entries<S>({space.basis.values.data(), order, space.basis.num_cols, std::max(order, Index{1})});
    }
  });
  std::string note = space.note;
  auto length = static_cast<Count>(note.size());
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&length, 1)));
  agree(ranks, [&] {
    if (ranks.rank() != 0) {
      space.note.resize(static_cast<std::size_t>(length));
      space.backward_errors.resize(report.null_pivots.size());
      space.basis.num_rows = order;
      space.basis.num_cols = static_cast<Index>(report.null_pivots.size());
      if (place == SolutionPlace::all_ranks) {
        space.basis = DenseMatrix<S>(order, space.basis.num_cols);
      }
    }
  });
  broadcast(ranks, 0, std::as_writable_bytes(std::span(space.note)));
  broadcast(ranks, 0, std::as_writable_bytes(std::span(space.backward_errors)));
  if (place == SolutionPlace::all_ranks) {
    broadcast(ranks, 0, std::as_writable_bytes(std::span(space.basis.values)));
  }
  return space;
}

template <Scalar S>
void DistributedFactorization<S>::solve_part(FactorPart part, Operation operation, DenseView<S> x) {
  check_factors_kept(state_.kept);
  check_no_schur_complement(keeps_schur_complement());  // on all ranks alike
  const bool is_first = system_->ranks().rank() == 0;
  const SystemMatrix<S> matrix = system_->matrix();
  agree(system_->ranks(), [&] {
    if (!factors_) {
      throw_no_parts(lower_factors_.has_value());
    }
    if (is_first) {
      check_in_place<S>(matrix.order(), x);
    }
  });
  const StoredOperation stored = stored_operation(matrix.transposed, operation);
  const FactorPart stored_part = matrix.transposed ? transposed_part(part) : part;
  lead([&](const SolvePart<S>& solve) {
    if (stored.conjugated) {
      conjugate_entries(x);
    }
    solve(sweep_part(stored_part, stored.operation), stored.operation, x);
    if (stored.conjugated) {
      conjugate_entries(x);
    }
  });
}

template <Scalar S>
InverseEntries<S> DistributedFactorization<S>::inverse_entries(const PatternView& pattern, InverseAccuracy accuracy) {
  check_factors_kept(state_.kept);
  const Communicator& ranks = system_->ranks();
  const bool is_first = ranks.rank() == 0;
  InverseEntries<S> entries;
  agree(ranks, [&] {
    if (is_first) {
      check_inverse_pattern(system_->symbolic()->order(), pattern);
      entries.values.resize(pattern.row_indices.size());
    }
  });
  const FactorizationStatus status = state_.report.factorization.status;
  const bool may_be_regular = keeps_schur_complement() && status == FactorizationStatus::singular;
  if (status != FactorizationStatus::success && !may_be_regular) {
    agree(ranks, [&] { entries = no_inverse<S>(is_first ? pattern : PatternView{}, status); });
    return entries;
  }
  entries.target = kAccuracyTarget<S>;
  const bool is_of_the_factors =
      !lower_factors_ && !keeps_schur_complement() && state_.report.factorization.num_perturbed_pivots == 0;
  const bool is_refined = accuracy == InverseAccuracy::refined || !is_of_the_factors;
  if (!is_refined) {
    lead_selected([&](const LedSolve& solve) { find_entries(pattern, solve, entries); });
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&entries.backward_error, 1)));
  }
  if (is_refined || entries.backward_error > entries.target) {
    refine_entries(pattern, entries);
  }
  std::array<Index, 2> counts{entries.num_checked, entries.num_columns};
  broadcast(ranks, 0, std::as_writable_bytes(std::span(counts)));
  entries.num_checked = counts[0];
  entries.num_columns = counts[1];
  if (entries.backward_error > entries.target) {
    entries.verdict = Verdict::accuracy_missed;
  }
  return entries;
}

// On rank 0.
template <Scalar S>
void DistributedFactorization<S>::find_entries(const PatternView& pattern, const LedSolve& solve,
                                               InverseEntries<S>& entries) const {
  const SystemMatrix<S> matrix = system_->matrix();
  const Index order = matrix.order();
  const Operation operation = stored_operation(matrix.transposed, Operation::plain).operation;
  const std::vector<InverseBlock> blocks =
      inverse_blocks(pattern, system_->symbolic()->row_permutation().inverse_perm, kSolveBlock);
  for (const InverseBlock& block : blocks) {
    DenseMatrix<S> x = dense_columns(UnitVectors<S>(order, block.columns).view(), 0, static_cast<Index>(block.columns.size()));
    solve(SweepPart::whole, operation, view_of(x), block.rows);
    take_entries_of_columns<S>(pattern, block, view_of(x), entries.values);
  }
  const BackwardErrorMeter<S> meter(matrix.stored, operation, unknown_scaling(state_.scaling, operation));
  const SolveInPlace<S> solve_all = [&](Operation plain, DenseView<S> x) { solve(SweepPart::whole, plain, x, {}); };
  check_columns<S>(blocks, order, operation, meter, solve_all, entries);
}

// On all ranks.
template <Scalar S>
void DistributedFactorization<S>::refine_entries(const PatternView& pattern, InverseEntries<S>& entries) {
  const Communicator& ranks = system_->ranks();
  const Index order = system_->symbolic()->order();
  std::vector<InverseBlock> blocks;
  entries.is_refined = true;
  entries.num_columns = 0;
  entries.backward_error = 0;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      blocks = inverse_blocks(pattern, system_->symbolic()->row_permutation().inverse_perm, kSolveBlock);
    }
  });
  auto num_blocks = static_cast<Index>(blocks.size());
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&num_blocks, 1)));
  for (Index k = 0; k < num_blocks; ++k) {
    DenseMatrix<S> units;
    DenseMatrix<S> x;
    agree(ranks, [&] {
      if (ranks.rank() == 0) {
        const InverseBlock& block = blocks[static_cast<std::size_t>(k)];
        const auto num_columns = static_cast<Index>(block.columns.size());
        units = dense_columns(UnitVectors<S>(order, block.columns).view(), 0, num_columns);
        x = DenseMatrix<S>(order, num_columns);
      }
    });
    const DenseView<S> view{x.values.data(), x.num_rows, x.num_cols, std::max(x.num_rows, Index{1})};
    const SolveReport report = solve(view_of(units), view);
    if (report.columns.empty() || report.verdict == Verdict::singular) {
      agree(ranks, [&] {
        entries = no_inverse<S>(ranks.rank() == 0 ? pattern : PatternView{}, FactorizationStatus::singular);
        entries.verdict = report.verdict;
      });
      return;
    }
    entries.backward_error = std::max(entries.backward_error, report.worst().normwise_backward_error);
    entries.num_columns += static_cast<Index>(report.columns.size());
    if (ranks.rank() == 0) {
      take_entries_of_columns<S>(pattern, blocks[static_cast<std::size_t>(k)], view, entries.values);
    }
  }
  entries.num_checked = entries.num_columns;
}

template SolveReport DistributedFactorization<float>::solve_sparse(const MatrixView<float>&, DenseView<float>, Operation,
                                                                   SolutionPlace);
template InverseEntries<float> DistributedFactorization<float>::inverse_diagonal(InverseAccuracy);
template SolveReport DistributedFactorization<double>::solve_sparse(const MatrixView<double>&, DenseView<double>, Operation,
                                                                    SolutionPlace);
template InverseEntries<double> DistributedFactorization<double>::inverse_diagonal(InverseAccuracy);
template SolveReport DistributedFactorization<std::complex<float>>::solve_sparse(const MatrixView<std::complex<float>>&,
                                                                                 DenseView<std::complex<float>>, Operation,
                                                                                 SolutionPlace);
template InverseEntries<std::complex<float>> DistributedFactorization<std::complex<float>>::inverse_diagonal(InverseAccuracy);
template SolveReport DistributedFactorization<std::complex<double>>::solve_sparse(const MatrixView<std::complex<double>>&,
                                                                                  DenseView<std::complex<double>>, Operation,
                                                                                  SolutionPlace);
template InverseEntries<std::complex<double>> DistributedFactorization<std::complex<double>>::inverse_diagonal(InverseAccuracy);
template NullSpace<float> DistributedFactorization<float>::null_space(Operation, SolutionPlace);
template void DistributedFactorization<float>::solve_part(FactorPart, Operation, DenseView<float>);
template InverseEntries<float> DistributedFactorization<float>::inverse_entries(const PatternView&, InverseAccuracy);
template void DistributedFactorization<float>::find_entries(const PatternView&, const LedSolve&, InverseEntries<float>&) const;
template void DistributedFactorization<float>::refine_entries(const PatternView&, InverseEntries<float>&);
template NullSpace<double> DistributedFactorization<double>::null_space(Operation, SolutionPlace);
template void DistributedFactorization<double>::solve_part(FactorPart, Operation, DenseView<double>);
template InverseEntries<double> DistributedFactorization<double>::inverse_entries(const PatternView&, InverseAccuracy);
template void DistributedFactorization<double>::find_entries(const PatternView&, const LedSolve&, InverseEntries<double>&) const;
template void DistributedFactorization<double>::refine_entries(const PatternView&, InverseEntries<double>&);
template NullSpace<std::complex<float>> DistributedFactorization<std::complex<float>>::null_space(Operation, SolutionPlace);
template void DistributedFactorization<std::complex<float>>::solve_part(FactorPart, Operation, DenseView<std::complex<float>>);
template InverseEntries<std::complex<float>> DistributedFactorization<std::complex<float>>::inverse_entries(const PatternView&,
                                                                                                            InverseAccuracy);
template void DistributedFactorization<std::complex<float>>::find_entries(const PatternView&, const LedSolve&,
                                                                          InverseEntries<std::complex<float>>&) const;
template void DistributedFactorization<std::complex<float>>::refine_entries(const PatternView&,
                                                                            InverseEntries<std::complex<float>>&);
template NullSpace<std::complex<double>> DistributedFactorization<std::complex<double>>::null_space(Operation, SolutionPlace);
template void DistributedFactorization<std::complex<double>>::solve_part(FactorPart, Operation, DenseView<std::complex<double>>);
template InverseEntries<std::complex<double>> DistributedFactorization<std::complex<double>>::inverse_entries(const PatternView&,
                                                                                                              InverseAccuracy);
template void DistributedFactorization<std::complex<double>>::find_entries(const PatternView&, const LedSolve&,
                                                                           InverseEntries<std::complex<double>>&) const;
template void DistributedFactorization<std::complex<double>>::refine_entries(const PatternView&,
                                                                             InverseEntries<std::complex<double>>&);

}  // namespace frond
