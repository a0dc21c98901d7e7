// SPDX-License-Identifier: BSD-3-Clause
// Scales, factorizes, refines, and reports.
#include "solver/thin/thin_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "factorization/scheduling/thread_arena.hpp"
#include "matrices/stop_request.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/refine.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"
#include "solver/thin/inverse_columns.hpp"

namespace frond {
namespace {

template <Scalar S>
void copy_conjugates(const S* from, std::span<S> to, bool are_conjugates) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = are_conjugates ? conjugate(from[i]) : from[i];
  }
}

template <class... T>
void grow(std::size_t size, std::vector<T>&... memory) {
  (memory.resize(std::max(memory.size(), size)), ...);
}

}  // namespace

template <Scalar S>
ThinSystem<S>::ThinSystem(std::shared_ptr<const ThinAnalysis> analysis, const SystemMatrix<S>& matrix)
    : analysis_(std::move(analysis)),
      matrix_(matrix),
      refinement_(analysis_->options().refinement),
      factors_(analysis_->plan().is_for_lu() ? make_thin_lu<S>(analysis_) : make_thin_ldlt<S>(analysis_)) {}

template <Scalar S>
std::unique_ptr<ThinSystem<S>> ThinSystem<S>::factorize(std::shared_ptr<const ThinAnalysis> analysis,
                                                        const SystemMatrix<S>& matrix) {
  const bool is_served = analysis->plan().serves(matrix.stored.pattern) &&
                         matrix.stored.values.size() == matrix.stored.pattern.row_indices.size() &&
                         std::isfinite(largest_magnitude<S>(matrix.stored.values));
  if (!is_served) {
    return nullptr;
  }
  std::unique_ptr<ThinSystem> system(new ThinSystem(std::move(analysis), matrix));
  return system->find_factors() ? std::move(system) : nullptr;
}

template <Scalar S>
bool ThinSystem<S>::refactorize(std::span<const S> values) {
  stop_if(analysis_->options().observer.get());
  matrix_.stored.values = values;
  if (!factors_->refactorize(values.data())) {
    return find_factors();
  }
  num_kept_pivots_ = matrix_.order();
  return accept();
}

// Finds scales, pivots and factors.
template <Scalar S>
bool ThinSystem<S>::find_factors() {
  num_kept_pivots_ = 0;
  return factors_->factorize(matrix_.stored.values.data()) && accept();
}

// The same conditions as those of the course: see wants_proof(). What these factors do not prove, others may.
template <Scalar S>
bool ThinSystem<S>::accept() {
  norms_[0] = norms_[1] = R(-1);
  if (Observer* observer = analysis_->options().observer.get()) {
    observer->progress(1);
    stop_if(observer);
  }
  has_counts_ = false;
  report_ = {};
  note_pivots(factors_->method(), factors_->extremes(), report_.factorization);
  report_.rank = {.lowest = matrix_.order(), .highest = matrix_.order()};
  return analysis_->suits(matrix_.stored) && (!wants_proof<S>(report_.factorization) || prove_rank());
}

// Whether no pivot is suspicious with the scales that a symmetric matrix has in fronts.
template <Scalar S>
bool ThinSystem<S>::are_pivots_large_if_scaled() const {
  if (matrix_.stored.pattern.symmetry == Symmetry::general) {
    return false;
  }
  Scaling<R> scaling = find_scaling<S>(matrix_.stored, {});
  scaling.rows.resize(static_cast<std::size_t>(matrix_.order()), R(1));  // empty scales are ones
  FactorizationReport scaled = report_.factorization;
  scaled.largest_entry = 1;
  scaled.smallest_pivot = factors_->smallest_pivot(scaling.rows);
  return !wants_proof<S>(scaled);
}

template <Scalar S>
bool ThinSystem<S>::prove_rank() {
  const std::optional<RankProof> proof = on_threads(1, [&] {
    if (are_pivots_large_if_scaled()) {
      return std::optional(report_.rank);
    }
    const Scaling<R> units = find_scaling<S>(matrix_.stored, {.kind = ScalingKind::equilibrate});
    const SolveInPlace<S> solve = [this](const Sweep<S>& asked) { sweep(asked); };
    return prove_nonsingular<S>({.matrix = matrix_.stored, .row_scaling = units.rows, .col_scaling = units.cols, .solve = solve},
                                !refinement_.measures, report_);
  });
  report_.rank = proof.value_or(report_.rank);
  return proof.has_value();
}

template <Scalar S>
std::optional<SolveReport> ThinSystem<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  check_right_hand_sides<S>(matrix_.order(), b, x);
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  const bool is_conjugated = stored.conjugated || stored.operation == Operation::adjoint;  // A^H x = b: A^T conj(x) = conj(b)
  const bool transposes = stored.operation != Operation::plain;
  const Operation plain_or_transposed = transposes ? Operation::transposed : Operation::plain;
  const bool is_measured = measures();
  const auto order = static_cast<std::size_t>(b.rows);
  Memory memory = memory_.take();
  std::vector<ColumnReport> columns;
  for (Index j = 0; j < b.cols;) {
    stop_if(analysis_->options().observer.get());
    const int num_columns = b.cols - j < kSideLanes ? 1 : kSideLanes;
    const bool is_direct = num_columns == 1 && !is_conjugated;
    grow(num_columns * order, memory.sweep);
    if (!is_direct) {
      grow(num_columns * order, memory.b, memory.x);
      for (int k = 0; k < num_columns; ++k) {
        copy_conjugates<S>(b.column(j + k), {&memory.b[k * order], order}, is_conjugated);
      }
    }
    const S* right = is_direct ? b.column(j) : memory.b.data();
    S* found = is_direct ? x.column(j) : memory.x.data();
    factors_->solve(transposes, num_columns, right, found, memory.sweep.data());
    for (int k = 0; k < num_columns; ++k, ++j, right += order, found += order) {
      if (is_measured) {
        const std::optional<ColumnReport> report = refine(plain_or_transposed, {right, order}, {found, order}, memory);
        if (!report) {
          return std::nullopt;
        }
        columns.push_back(*report);
      } else if (!std::isfinite(largest_magnitude<S>({found, order}))) {
        return std::nullopt;  // couplings or right-hand sides, scaled like their rows, may leave the range of S
      }
      if (!is_direct) {
        copy_conjugates<S>(found, {x.column(j), order}, is_conjugated);
      }
    }
  }
  memory_.give_back(std::move(memory));
  SolveReport report =
      is_measured ? judge<S>(std::move(columns), {}, report_.rank, b.rows) : judge_unmeasured<S>(b.cols, report_.rank, b.rows);
  report.equilibrated_condition = report_.equilibrated_condition;
  return report;
}

template <Scalar S>
bool ThinSystem<S>::measures() const {
  return refinement_.measures || !report_.rank.is_certain() || !may_stay_unmeasured<S>(report_.factorization);
}

// With little effort if that is enough.
template <Scalar S>
ColumnReport ThinSystem<S>::measured(Operation operation, std::span<const S> b, std::span<const S> x) const {
  const bool is_transposed = operation != Operation::plain;
  std::vector<QuickSums<S>> sums(x.size());
  R norm = norms_[is_transposed ? 1 : 0];
  const std::optional<ColumnReport> report = measure_quickly<S>(matrix_.stored, is_transposed, norm, b, x, sums);
  norms_[is_transposed ? 1 : 0] = norm;
  if (report) {
    return *report;
  }
  std::vector<S> residual(x.size());
  return BackwardErrorMeter<S>(matrix_.stored, operation).measure(b, x, residual);
}

template <Scalar S>
std::optional<InverseEntries<S>> ThinSystem<S>::inverse_entries(const PatternView& pattern) const {
  check_inverse_pattern(matrix_.order(), pattern);
  const std::vector<Index> columns = columns_with_entries(pattern);
  if (columns.size() > kSolveBlock) {
    return std::nullopt;  // fronts share the ways of many columns
  }
  InverseEntries<S> entries;
  entries.values.resize(pattern.row_indices.size());
  entries.target = kAccuracyTarget<S>;
  const Operation operation = stored_operation(matrix_.transposed, Operation::plain).operation;
  SelectedPivots<S> memory = selected_.take();
  find_entries<S>(*factors_, operation != Operation::plain, pattern, memory, entries.values);
  selected_.give_back(std::move(memory));
  if (measures()) {
    const SolveInPlace<S> solve = [this](const Sweep<S>& asked) { sweep(asked); };
    const auto measure = [&](std::span<const S> b, std::span<const S> x) { return measured(operation, b, x); };
    check_columns<S>(columns, matrix_.order(), operation, solve, measure, entries);
  } else {
    leave_unmeasured(static_cast<Index>(columns.size()), entries);
  }
  const bool are_accurate = !(entries.backward_error > entries.target) && std::isfinite(largest_magnitude<S>(entries.values));
  return are_accurate ? std::optional(std::move(entries)) : std::nullopt;
}

// With little effort if that is enough, and else as the course does. Other factors are the course's.
template <Scalar S>
std::optional<ColumnReport> ThinSystem<S>::refine(Operation operation, std::span<const S> b, std::span<S> x, Memory& memory) const {
  if (const std::optional<ColumnReport> report = refine_quickly(operation != Operation::plain, b, x, memory)) {
    return report;
  }
  const ColumnReport report = solve_as_the_course(operation, b, x);
  return refinement_.max_steps == 0 || !is_inaccurate<S>(report) ? std::optional(report) : std::nullopt;
}

// Measures in working precision, and corrects once if that is not enough; nothing if x is not accurate then. Corrections that
// are worth more than that need residuals with more digits (Skeel 1980: one step is enough where factors are good).
template <Scalar S>
std::optional<ColumnReport> ThinSystem<S>::refine_quickly(bool is_transposed, std::span<const S> b, std::span<S> x,
                                                          Memory& memory) const {
  grow(x.size(), memory.sums);
  R norm = norms_[is_transposed ? 1 : 0];
  for (int step = 0;; ++step) {
    std::optional<ColumnReport> report = measure_quickly<S>(matrix_.stored, is_transposed, norm, b, x, memory.sums);
    norms_[is_transposed ? 1 : 0] = norm;
    if (report && !(refinement_.target > 0) && refinement_error<S>(*report, refinement_) <= 1) {
      report->refinement_steps = step;
      return report;
    }
    if (step == 1 || refinement_.max_steps == 0) {
      return std::nullopt;
    }
    grow(x.size(), memory.residual, memory.candidate);
    std::ranges::transform(memory.sums, memory.residual.begin(), &QuickSums<S>::rest);
    factors_->solve(is_transposed, 1, memory.residual.data(), memory.candidate.data(), memory.sweep.data());
    std::ranges::transform(x, memory.candidate, x.begin(), std::plus<>());
  }
}

// With residuals of twice the precision, a look at single equations, and GMRES where corrections stall.
template <Scalar S>
ColumnReport ThinSystem<S>::solve_as_the_course(Operation operation, std::span<const S> b, std::span<S> x) const {
  const BackwardErrorMeter<S> meter(matrix_.stored, operation);
  const RefinedSolve<S> refined{[this](const Sweep<S>& asked) { sweep(asked); }, operation, meter, refinement_,
                                analysis_->options().observer.get()};
  ColumnReport report;
  refined.run(column_view<const S>(b), column_view<S>(x), {&report, 1});
  return report;
}

// Solves in place with the stored matrix.
template <Scalar S>
void ThinSystem<S>::sweep(const Sweep<S>& asked) const {
  const bool is_conjugated = asked.operation == Operation::adjoint;  // A^H x = b: A^T conj(x) = conj(b)
  const auto order = static_cast<std::size_t>(asked.x.rows);
  std::vector<S> b(order);
  std::vector<S> memory(order);
  for (Index j = 0; j < asked.x.cols; ++j) {
    const std::span<S> x(asked.x.column(j), order);
    copy_conjugates<S>(x.data(), b, is_conjugated);
    factors_->solve(asked.operation != Operation::plain, 1, b.data(), x.data(), memory.data());
    copy_conjugates<S>(x.data(), x, is_conjugated);
  }
}

template <Scalar S>
const SystemReport& ThinSystem<S>::report() const {
  const std::lock_guard lock(reporting_);
  if (!has_counts_) {
    report_.method = factors_->method();
    report_.scaling = ScalingKind::equilibrate;
    report_.equilibration_sweeps = 1;
    report_.num_kept_pivots = num_kept_pivots_;
    report_.factorization.num_workers_seen = 1;
    factors_->count(report_.factorization);
    report_.factorization.peak_bytes = report_.factorization.factor_bytes;
    report_.notes = notes_of_values(with_symmetry(matrix_, analysis_->plan().symmetry).stored, analysis_->options());
    has_counts_ = true;
  }
  return report_;
}

FROND_INSTANTIATE_CLASS(ThinSystem)

}  // namespace frond
