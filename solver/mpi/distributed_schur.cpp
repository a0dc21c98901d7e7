// SPDX-License-Identifier: BSD-3-Clause
// Schur complements of systems that are factorized on several ranks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/kernels/matrix_view.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "matrices/error.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_doubt.hpp"
#include "solver/schur/schur_front.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

GridShape shape_for(const SchurGrid& grid, Rank num_ranks) {
  GridShape shape = grid.shape;
  if (shape.num_rows == 0 && shape.num_cols == 0) {
    shape.num_rows = static_cast<Rank>(std::sqrt(static_cast<double>(num_ranks)));
    shape.num_cols = num_ranks / shape.num_rows;
  }
  if (shape.num_rows < 1 || shape.num_cols < 1 || static_cast<Count>(shape.num_rows) * shape.num_cols > num_ranks ||
      grid.block_size < 1) {
    throw UsageError(
        fmt::format("a Schur complement cannot be spread over {} by {} ranks of {} in blocks of {}: the grid needs one rank at "
                    "least, and no more "
                    "than there are, and blocks one row",
                    shape.num_rows, shape.num_cols, num_ranks, grid.block_size));
  }
  return shape;
}

// Right-hand sides of block 1 and the solution of block 2, as one block of rows.
template <Scalar S>
class JoinedRows {
 public:
  JoinedRows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const std::vector<char>& is_kept) {
    const Index num_columns = b.rows.empty() ? x2.values.cols : b.values.cols;
    if (!x2.rows.empty() && x2.values.cols != num_columns) {
      throw UsageError(fmt::format("there are {} columns of right-hand sides, but {} of the solution of the condensed system",
                                   num_columns, x2.values.cols));
    }
    std::vector<std::pair<const DenseRows<const S>*, Index>> sources;  // and the place in it
    for (std::size_t k = 0; k < b.rows.size(); ++k) {
      if (is_kept[static_cast<std::size_t>(b.rows[k])] == 0) {
        rows_.push_back(b.rows[k]);
        sources.emplace_back(&b, static_cast<Index>(k));
      }
    }
    for (std::size_t k = 0; k < x2.rows.size(); ++k) {
      rows_.push_back(x2.rows[k]);
      sources.emplace_back(&x2, static_cast<Index>(k));
    }
    values_ = DenseMatrix<S>(static_cast<Index>(rows_.size()), num_columns);
    for (Index j = 0; j < num_columns; ++j) {
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        values_(static_cast<Index>(k), j) = sources[k].first->values(sources[k].second, j);
      }
    }
  }

  [[nodiscard]] DenseRows<const S> view() const { return {rows_, view_of(values_)}; }

 private:
  std::vector<Index> rows_;
  DenseMatrix<S> values_;
};

}  // namespace

// Of A, on the rank that has it whole; nothing on the others.
template <Scalar S>
DenseMatrix<S> DistributedFactorization<S>::whole_schur_complement() const {
  const Symbolic& symbolic = *system_->symbolic();
  DenseMatrix<S> complement;
  agree(system_->ranks(), [&] {
    if (is_schur_complement_on_grid() || !has_schur_complement() || system_->ranks().rank() != schur_owner()) {
      return;
    }
    complement = schur_complement_in<S>(factors_->fronts[static_cast<std::size_t>(symbolic.tree().schur_node())],
                                        state_.report.method, symbolic.schur_variables(), state_.scaling.rows, state_.scaling.cols);
    if (system_->matrix().transposed) {
      transpose(complement);
    }
  });
  return complement;
}

template <Scalar S>
SchurSource<S> DistributedFactorization<S>::schur_source(const DenseMatrix<S>& whole) const {
  const Index order = system_->symbolic()->schur_order();
  if (!is_schur_complement_on_grid()) {
    return {.form = SchurForm::all,
            .is_transposed = false,
            .layout = RootLayout(order, std::max<Index>(order, 1), {1, 1}),
            .ranks = {schur_owner()},
            .entries = whole.values.data(),
            .variables = {},
            .row_scaling = {},
            .col_scaling = {}};
  }
  const RootGrid& grid = mapping_.root_grid();
  const bool transposed = system_->matrix().transposed;
  const bool is_general = state_.report.method == Method::lu;  // which has the transposed of what is stored on the grid
  return {.form = is_general                             ? SchurForm::all
                  : state_.report.method == Method::ldlt ? SchurForm::symmetric_lower
                                                         : SchurForm::hermitian_lower,
          .is_transposed = transposed != is_general,
          .layout = RootLayout(order, grid.block_size, grid.shape),
          .ranks = grid.ranks,
          .entries = factors_->root ? factors_->root->part.entries : nullptr,
          .variables = system_->symbolic()->schur_variables(),
          .row_scaling = transposed ? state_.scaling.cols : state_.scaling.rows,
          .col_scaling = transposed ? state_.scaling.rows : state_.scaling.cols};
}

// On rank 0.
template <Scalar S>
DenseMatrix<S> DistributedFactorization<S>::schur_complement() const {
  if (keeps_schur_complement() && !is_schur_complement_on_grid() && has_schur_complement() && schur_owner() == 0) {
    return whole_schur_complement();
  }
  const Index order = system_->symbolic()->schur_order();
  SchurPart<S> part = schur_part({.block_size = std::max<Index>(order, 1), .shape = {1, 1}});
  DenseMatrix<S> gathered;
  if (part.is_in_grid) {
    gathered.num_rows = order;
    gathered.num_cols = order;
    gathered.values = std::move(part.entries);
  }
  return gathered;
}

template <Scalar S>
SchurPart<S> DistributedFactorization<S>::schur_part(const SchurGrid& grid) const {
  const Communicator& ranks = system_->ranks();
  SchurPart<S> part;
  agree(ranks, [&] {
    part.layout = RootLayout(system_->symbolic()->schur_order(), grid.block_size, shape_for(grid, ranks.num_ranks()));
    part.is_in_grid = ranks.rank() < part.layout.shape().size();
    if (part.is_in_grid) {
      part.position = part.layout.position(ranks.rank());
      part.entries.resize(static_cast<std::size_t>(part.layout.num_entries(part.position)));
    }
  });
  if (!has_schur_complement()) {
    std::fill(part.entries.begin(), part.entries.end(), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  } else if (keeps_schur_complement()) {
    const DenseMatrix<S> whole = whole_schur_complement();
    spread_schur_complement<S>(ranks, schur_source(whole), part.layout, part.entries);
  }
  return part;
}

template <Scalar S>
void DistributedFactorization<S>::check_kept(std::span<const Index> rows) const {
  const std::span<const Index> kept = system_->symbolic()->schur_variables();
  for (const Index row : rows) {
    if (std::find(kept.begin(), kept.end(), row) == kept.end()) {
      throw UsageError(fmt::format("row {} (counted from 0) is none of the Schur complement's {}", row, kept.size()));
    }
  }
}

template <Scalar S>
void DistributedFactorization<S>::sweep_rows(SchurUse use, const DenseRows<const S>& b, const DenseRows<S>& x,
                                             Operation operation) {
  check_factors_kept(state_.kept);
  const Index num_columns = agree_on_columns(b, x);
  if (keeps_schur_complement() ? !has_schur_complement() : !factors_.has_value()) {
    fill_with_nan(x.values);
    return;
  }
  const StoredOperation stored = stored_operation(system_->matrix().transposed, operation);
  DenseMatrix<S> conjugate_b;
  RankSides<S> sides{b, x, num_columns};
  agree(system_->ranks(), [&] {
    if (stored.conjugated) {
      conjugate_b = conjugated_copy(b.values);
      sides.b.values = view_of(conjugate_b);
    }
  });
  sweep(use, stored.operation, sides);
  if (stored.conjugated) {
    conjugate_entries(x.values);
  }
}

template <Scalar S>
void DistributedFactorization<S>::condense_rows(const DenseRows<const S>& b, const DenseRows<S>& condensed, Operation operation) {
  agree(system_->ranks(), [&] { check_kept(condensed.rows); });
  sweep_rows(SchurUse::condense, b, condensed, operation);
}

template <Scalar S>
void DistributedFactorization<S>::expand_rows(const DenseRows<const S>& b, const DenseRows<const S>& x2, const DenseRows<S>& x,
                                              Operation operation) {
  std::optional<JoinedRows<S>> joined;
  agree(system_->ranks(), [&] {
    const Symbolic& symbolic = *system_->symbolic();
    check_rows(symbolic.order(), b, x);
    check_rows<S>(symbolic.order(), x2, {});
    check_kept(x2.rows);
    std::vector<char> is_kept(static_cast<std::size_t>(symbolic.order()), 0);
    for (const Index variable : symbolic.schur_variables()) {
      is_kept[static_cast<std::size_t>(variable)] = 1;
    }
    joined.emplace(b, x2, is_kept);
  });
  sweep_rows(SchurUse::expand, joined->view(), x, operation);
}

template <Scalar S>
void DistributedFactorization<S>::condense(DenseView<const S> b, DenseView<S> condensed, Operation operation) {
  const Communicator& ranks = system_->ranks();
  const Symbolic& symbolic = *system_->symbolic();
  std::vector<Index> rows;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      check_schur_sides<S>(symbolic, b, condensed);
      rows = all_rows(symbolic.order());
    }
  });
  const bool is_first = ranks.rank() == 0;
  condense_rows(is_first ? DenseRows<const S>{rows, b} : DenseRows<const S>{},
                is_first ? DenseRows<S>{symbolic.schur_variables(), condensed} : DenseRows<S>{}, operation);
}

template <Scalar S>
void DistributedFactorization<S>::expand(DenseView<const S> b, DenseView<const S> x2, DenseView<S> x, Operation operation) {
  const Communicator& ranks = system_->ranks();
  const Symbolic& symbolic = *system_->symbolic();
  std::vector<Index> rows;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      check_right_hand_sides(symbolic.order(), b, x);
      check_schur_sides<S>(symbolic, b, x2);
      rows = all_rows(symbolic.order());
    }
  });
  const bool is_first = ranks.rank() == 0;
  expand_rows(is_first ? DenseRows<const S>{rows, b} : DenseRows<const S>{},
              is_first ? DenseRows<const S>{symbolic.schur_variables(), x2} : DenseRows<const S>{},
              is_first ? DenseRows<S>{rows, x} : DenseRows<S>{}, operation);
}

// On rank 0, for the first solve of the whole system; what came of it, on all.
template <Scalar S>
void DistributedFactorization<S>::factorize_schur_complement() {
  if (whole_report_) {
    return;
  }
  const Communicator& ranks = system_->ranks();
  const Symbolic& symbolic = *system_->symbolic();
  FactorizationReport whole = state_.report.factorization;
  if (has_schur_complement()) {
    DenseMatrix<S> complement = schur_complement();
    FactorizationStatus status = FactorizationStatus::success;
    std::vector<Index> null_rows;
    agree(ranks, [&] {
      if (ranks.rank() != 0) {
        return;
      }
      if (system_->matrix().transposed) {
        transpose(complement);  // the factors are those of what is stored
      }
      const std::span<const Index> variables = symbolic.schur_variables();
      const std::vector<RealOf<S>> rows = permuted<RealOf<S>>(state_.scaling.rows, symbolic.row_perm());
      const std::vector<RealOf<S>> cols = permuted<RealOf<S>>(state_.scaling.cols, symbolic.permutation().perm);
      SchurFactorOptions<S> options;
      options.method = state_.report.method;
      if (!system_->options().solver.method) {
        options.fallback = indefinite_method<S>(system_->matrix().stored.pattern.symmetry);
      }
      options.row_scaling = permuted<RealOf<S>>(state_.scaling.rows, variables);
      options.col_scaling = permuted<RealOf<S>>(state_.scaling.cols, variables);
      options.tolerances = pivot_tolerances(symbolic, ScaledValues<S>{system_->analysed().values, rows, cols},
                                            system_->options().solver.factorization.pivoting);
      options.relative_null =
          static_cast<RealOf<S>>(relative_null_threshold<S>(symbolic.order(), system_->options().solver.factorization.pivoting));
      options.num_threads = system_->options().solver.factorization.num_threads;
      schur_factor_ = std::make_unique<SchurFactor<S>>(complement, std::move(options));
      status = schur_factor_->status();
      null_rows = schur_factor_->null_rows();
    });
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&status, 1)));
    auto num_null = static_cast<Count>(null_rows.size());
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&num_null, 1)));
    agree(ranks, [&] { null_rows.resize(static_cast<std::size_t>(num_null)); });
    broadcast(ranks, 0, std::as_writable_bytes(std::span(null_rows)));
    whole.status = std::max(whole.status, status);
    for (const Index row : null_rows) {
      whole.null_pivots.push_back(symbolic.schur_variables()[static_cast<std::size_t>(row)]);
    }
    std::sort(whole.null_pivots.begin(), whole.null_pivots.end());
  }
  whole_report_ = std::move(whole);
  try {
    settle_whole();
  } catch (...) {  // to be tried again by the next solve
    whole_report_.reset();
    throw;
  }
}

// What is in doubt is factorized without a Schur complement, as if none had been asked for.
template <Scalar S>
void DistributedFactorization<S>::settle_whole() {
  if (!factors_ || whole_report_->status == FactorizationStatus::not_positive_definite) {
    return;
  }
  const Communicator& ranks = system_->ranks();
  is_whole_in_doubt_ = whole_report_->status == FactorizationStatus::singular;
  if (!is_whole_in_doubt_) {
    lead([&](const SolvePart<S>& solve) {
      is_whole_in_doubt_ = is_whole_rank_in_doubt<S>(
          system_->matrix().stored, state_.scaling.rows, state_.scaling.cols,
          [&](Operation operation, DenseView<S> x) { solve(SweepPart::whole, operation, x); },
          relative_null_threshold<S>(system_->symbolic()->order(), system_->options().solver.factorization.pivoting));
    });
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_whole_in_doubt_, 1)));
  }
  if (!is_whole_in_doubt_) {
    return;
  }
  DistributedOptions options = system_->options();
  options.solver.analysis.schur_variables.clear();
  options.solver.factorization.progress = {};  // whoever watched the factorization may be gone
  options.solver.factorization.budget = {};    // which was that of a part
  Count& limit = options.solver.factorization.memory_limit;
  if (limit > 0) {
    limit = std::max(limit - state_.report.factorization.factor_bytes / ranks.num_ranks(), kNoMemoryIsLeft);
  }
  const SystemMatrix<S> matrix = system_->matrix();
  try {
    whole_ = std::make_unique<DistributedFactorization>(std::make_shared<const DistributedSystem<S>>(ranks, &matrix, options));
  } catch (const MemoryError&) {  // the factors that are there are as good as it gets
    leave_in_doubt(*whole_report_);
  }
}

template <Scalar S>
SolveReport DistributedFactorization<S>::solve_rows_with_whole(const DenseRows<const S>& b, const DenseRows<S>& x,
                                                               Operation operation, ErrorBounds bounds) {
  SolveReport report = whole_->solve_rows_and_bound(b, x, operation, bounds);
  const std::vector<std::string>& notes = whole_->report().notes;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  report.notes.insert(report.notes.begin(), whole_once_more_note(has_schur_complement()));
  return report;
}

template DenseMatrix<float> DistributedFactorization<float>::whole_schur_complement() const;
template SchurSource<float> DistributedFactorization<float>::schur_source(const DenseMatrix<float>&) const;
template DenseMatrix<float> DistributedFactorization<float>::schur_complement() const;
template SchurPart<float> DistributedFactorization<float>::schur_part(const SchurGrid&) const;
template void DistributedFactorization<float>::check_kept(std::span<const Index>) const;
template void DistributedFactorization<float>::sweep_rows(SchurUse, const DenseRows<const float>&, const DenseRows<float>&,
                                                          Operation);
template void DistributedFactorization<float>::condense_rows(const DenseRows<const float>&, const DenseRows<float>&, Operation);
template void DistributedFactorization<float>::expand_rows(const DenseRows<const float>&, const DenseRows<const float>&,
                                                           const DenseRows<float>&, Operation);
template void DistributedFactorization<float>::condense(DenseView<const float>, DenseView<float>, Operation);
template void DistributedFactorization<float>::expand(DenseView<const float>, DenseView<const float>, DenseView<float>, Operation);
template void DistributedFactorization<float>::factorize_schur_complement();
template void DistributedFactorization<float>::settle_whole();
template SolveReport DistributedFactorization<float>::solve_rows_with_whole(const DenseRows<const float>&, const DenseRows<float>&,
                                                                            Operation, ErrorBounds);
template DenseMatrix<double> DistributedFactorization<double>::whole_schur_complement() const;
template SchurSource<double> DistributedFactorization<double>::schur_source(const DenseMatrix<double>&) const;
template DenseMatrix<double> DistributedFactorization<double>::schur_complement() const;
template SchurPart<double> DistributedFactorization<double>::schur_part(const SchurGrid&) const;
template void DistributedFactorization<double>::check_kept(std::span<const Index>) const;
template void DistributedFactorization<double>::sweep_rows(SchurUse, const DenseRows<const double>&, const DenseRows<double>&,
                                                           Operation);
template void DistributedFactorization<double>::condense_rows(const DenseRows<const double>&, const DenseRows<double>&, Operation);
template void DistributedFactorization<double>::expand_rows(const DenseRows<const double>&, const DenseRows<const double>&,
                                                            const DenseRows<double>&, Operation);
template void DistributedFactorization<double>::condense(DenseView<const double>, DenseView<double>, Operation);
template void DistributedFactorization<double>::expand(DenseView<const double>, DenseView<const double>, DenseView<double>,
                                                       Operation);
template void DistributedFactorization<double>::factorize_schur_complement();
template void DistributedFactorization<double>::settle_whole();
template SolveReport DistributedFactorization<double>::solve_rows_with_whole(const DenseRows<const double>&,
                                                                             const DenseRows<double>&, Operation, ErrorBounds);
template DenseMatrix<std::complex<float>> DistributedFactorization<std::complex<float>>::whole_schur_complement() const;
template SchurSource<std::complex<float>> DistributedFactorization<std::complex<float>>::schur_source(
    const DenseMatrix<std::complex<float>>&) const;
template DenseMatrix<std::complex<float>> DistributedFactorization<std::complex<float>>::schur_complement() const;
template SchurPart<std::complex<float>> DistributedFactorization<std::complex<float>>::schur_part(const SchurGrid&) const;
template void DistributedFactorization<std::complex<float>>::check_kept(std::span<const Index>) const;
template void DistributedFactorization<std::complex<float>>::sweep_rows(SchurUse, const DenseRows<const std::complex<float>>&,
                                                                        const DenseRows<std::complex<float>>&, Operation);
template void DistributedFactorization<std::complex<float>>::condense_rows(const DenseRows<const std::complex<float>>&,
                                                                           const DenseRows<std::complex<float>>&, Operation);
template void DistributedFactorization<std::complex<float>>::expand_rows(const DenseRows<const std::complex<float>>&,
                                                                         const DenseRows<const std::complex<float>>&,
                                                                         const DenseRows<std::complex<float>>&, Operation);
template void DistributedFactorization<std::complex<float>>::condense(DenseView<const std::complex<float>>,
                                                                      DenseView<std::complex<float>>, Operation);
template void DistributedFactorization<std::complex<float>>::expand(DenseView<const std::complex<float>>,
                                                                    DenseView<const std::complex<float>>,
                                                                    DenseView<std::complex<float>>, Operation);
template void DistributedFactorization<std::complex<float>>::factorize_schur_complement();
template void DistributedFactorization<std::complex<float>>::settle_whole();
template SolveReport DistributedFactorization<std::complex<float>>::solve_rows_with_whole(
    const DenseRows<const std::complex<float>>&, const DenseRows<std::complex<float>>&, Operation, ErrorBounds);
template DenseMatrix<std::complex<double>> DistributedFactorization<std::complex<double>>::whole_schur_complement() const;
template SchurSource<std::complex<double>> DistributedFactorization<std::complex<double>>::schur_source(
    const DenseMatrix<std::complex<double>>&) const;
template DenseMatrix<std::complex<double>> DistributedFactorization<std::complex<double>>::schur_complement() const;
template SchurPart<std::complex<double>> DistributedFactorization<std::complex<double>>::schur_part(const SchurGrid&) const;
template void DistributedFactorization<std::complex<double>>::check_kept(std::span<const Index>) const;
template void DistributedFactorization<std::complex<double>>::sweep_rows(SchurUse, const DenseRows<const std::complex<double>>&,
                                                                         const DenseRows<std::complex<double>>&, Operation);
template void DistributedFactorization<std::complex<double>>::condense_rows(const DenseRows<const std::complex<double>>&,
                                                                            const DenseRows<std::complex<double>>&, Operation);
template void DistributedFactorization<std::complex<double>>::expand_rows(const DenseRows<const std::complex<double>>&,
                                                                          const DenseRows<const std::complex<double>>&,
                                                                          const DenseRows<std::complex<double>>&, Operation);
template void DistributedFactorization<std::complex<double>>::condense(DenseView<const std::complex<double>>,
                                                                       DenseView<std::complex<double>>, Operation);
template void DistributedFactorization<std::complex<double>>::expand(DenseView<const std::complex<double>>,
                                                                     DenseView<const std::complex<double>>,
                                                                     DenseView<std::complex<double>>, Operation);
template void DistributedFactorization<std::complex<double>>::factorize_schur_complement();
template void DistributedFactorization<std::complex<double>>::settle_whole();
template SolveReport DistributedFactorization<std::complex<double>>::solve_rows_with_whole(
    const DenseRows<const std::complex<double>>&, const DenseRows<std::complex<double>>&, Operation, ErrorBounds);

}  // namespace frond
