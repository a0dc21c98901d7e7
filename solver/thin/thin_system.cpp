// SPDX-License-Identifier: BSD-3-Clause
// Scales, factorizes, refines, and reports.
#include "solver/thin/thin_system.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "factorization/kernels/magnitude.hpp"
#include "matrices/stop_request.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/accuracy/refinement_course.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {
namespace {

// What is asked of a pivot that is kept, relative to what is asked of a new one: refinement makes up for growth in between.
constexpr double kKeptThreshold = 1e-3;

// The factors may have this many times the predicted entries: pivots off the diagonal fill in more.
constexpr double kMostFill = 8;
constexpr double kFreeEntries = 1e4;
constexpr double kMostIndices = std::numeric_limits<Index>::max() / 2;

// The power of 2 that brings a magnitude to [1, 2); 1 at the ends of the range.
template <class R>
R inverse_power_of_two(R magnitude) {
  using Bits = std::conditional_t<std::is_same_v<R, float>, std::uint32_t, std::uint64_t>;
  constexpr int kMantissaBits = std::numeric_limits<R>::digits - 1;
  constexpr auto kTwiceBias = static_cast<Bits>(2 * (std::numeric_limits<R>::max_exponent - 1));
  const Bits exponent = std::bit_cast<Bits>(magnitude) >> kMantissaBits;
  const bool is_ordinary = exponent > 0 && exponent < kTwiceBias;
  return is_ordinary ? std::bit_cast<R>((kTwiceBias - exponent) << kMantissaBits) : R(1);
}

// As many as memory allows, if that is limited, but not many more than predicted. Arrays that grow take twice their size meanwhile.
double most_entries(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double most = std::min(kMostFill * plan.order.entries + kFreeEntries, kMostIndices);
  const auto limit = static_cast<double>(plan.most_bytes(analysis.options().factorization.memory_limit));
  const double bytes_of_one = 2 * static_cast<double>(plan.bytes(1) - plan.bytes(0));
  return limit > 0 ? std::clamp((limit - static_cast<double>(plan.bytes(0))) / bytes_of_one, 0.0, most) : most;
}

template <Scalar S>
RealOf<S> threshold_of(const ThinAnalysis& analysis) {
  return static_cast<RealOf<S>>(std::min(analysis.options().factorization.pivoting.pivot_threshold, 1.0));
}

template <Scalar S>
SparseLuOptions<S> options_of(const ThinAnalysis& analysis) {
  const ThinPlan& plan = analysis.plan();
  const double entries = plan.order.entries;
  const double most = most_entries(analysis);
  const double off_diagonal = entries - static_cast<double>(plan.order.column_order.size());
  return {.threshold = threshold_of<S>(analysis),
          .expected_entries = static_cast<std::size_t>(std::min(off_diagonal, most) / 2 * 1.2),
          .num_couplings = plan.num_couplings,
          .most_entries = static_cast<std::size_t>(most),
          .observer = analysis.options().observer.get()};
}

template <Scalar S>
void copy_conjugates(const S* from, std::span<S> to, bool are_conjugates) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = are_conjugates ? conjugate(from[i]) : from[i];
  }
}

}  // namespace

template <Scalar S>
ThinSystem<S>::ThinSystem(std::shared_ptr<const ThinAnalysis> analysis, const SystemMatrix<S>& matrix)
    : analysis_(std::move(analysis)), matrix_(matrix), refinement_(analysis_->options().refinement) {}

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
  const R threshold = threshold_of<S>(*analysis_) * static_cast<R>(kKeptThreshold);
  if (!factors_.refactorize(this->values(), threshold)) {
    return find_factors();
  }
  num_kept_pivots_ = factors_.order();
  return accept();
}

// Finds scales, pivots and factors.
template <Scalar S>
bool ThinSystem<S>::find_factors() {
  find_scales();
  const ThinPlan& plan = analysis_->plan();
  std::optional<SparseLu<S>> factors =
      SparseLu<S>::factorize(plan.pattern(), plan.order.blocks, values(), options_of<S>(*analysis_));
  if (!factors) {
    return false;
  }
  factors_ = std::move(*factors);
  num_kept_pivots_ = 0;
  pivot_scales_.resize(row_scales_.size());
  pivot_rows_.resize(row_scales_.size());
  for (std::size_t k = 0; k < pivot_rows_.size(); ++k) {
    const Index place = factors_.row_order()[k];
    pivot_scales_[k] = row_scales_[place];
    pivot_rows_[k] = plan.order.row_order[place];
  }
  return accept();
}

// Makes the largest magnitude of each row one of [1, 2).
template <Scalar S>
void ThinSystem<S>::find_scales() {
  const SparsePattern pattern = analysis_->plan().pattern();
  row_scales_.assign(static_cast<std::size_t>(pattern.num_columns()), R(0));
  for (std::size_t entry = 0; entry < pattern.rows.size(); ++entry) {
    R& largest = row_scales_[pattern.rows[entry]];
    largest = std::max(largest, magnitude_bound(matrix_.stored.values[pattern.sources[entry]]));
  }
  for (R& scale : row_scales_) {
    scale = inverse_power_of_two(scale);
  }
}

// The same conditions as those of the course: see wants_proof().
template <Scalar S>
bool ThinSystem<S>::accept() {
  report_.reset();
  if (Observer* observer = analysis_->options().observer.get()) {
    observer->progress(1);
  }
  FactorizationReport report;
  judge_pivots(report);
  return !wants_proof<S>(report) && !is_treated_as_symmetric(matrix_.stored, analysis_->options());
}

template <Scalar S>
void ThinSystem<S>::judge_pivots(FactorizationReport& report) const {
  const PivotExtremes<S>& extremes = factors_.extremes();
  report.smallest_pivot = static_cast<double>(extremes.smallest_pivot);
  report.largest_entry = static_cast<double>(extremes.largest_entry);
  report.pivot_growth = static_cast<double>(extremes.largest_of_upper / extremes.largest_entry);
}

template <Scalar S>
std::optional<SolveReport> ThinSystem<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  check_right_hand_sides<S>(matrix_.order(), b, x);
  const StoredOperation stored = stored_operation(matrix_.transposed, operation);
  const bool is_conjugated = stored.conjugated || stored.operation == Operation::adjoint;  // A^H x = b: A^T conj(x) = conj(b)
  const bool transposes = stored.operation != Operation::plain;
  Memory memory = memory_.take();
  const auto order = static_cast<std::size_t>(b.rows);
  memory.sums.resize(order);
  for (std::vector<S>* vector : {&memory.b, &memory.x, &memory.candidate, &memory.residual, &memory.sweep}) {
    vector->resize(order);
  }
  std::vector<ColumnReport> columns;
  columns.reserve(static_cast<std::size_t>(b.cols));
  Observer* const observer = analysis_->options().observer.get();
  for (Index j = 0; j < b.cols; ++j) {
    stop_if(observer);
    copy_conjugates<S>(b.column(j), memory.b, is_conjugated);
    const std::optional<ColumnReport> report = solve_column(transposes ? Operation::transposed : Operation::plain, memory);
    if (!report) {
      return std::nullopt;
    }
    columns.push_back(*report);
    copy_conjugates<S>(memory.x.data(), {x.column(j), order}, is_conjugated);
  }
  memory_.give_back(std::move(memory));
  return judge<S>(std::move(columns), {}, {.lowest = b.rows, .highest = b.rows}, b.rows);
}

// Refines while that helps. Other ways of making x accurate are the course's.
template <Scalar S>
std::optional<ColumnReport> ThinSystem<S>::solve_column(Operation operation, Memory& memory) const {
  const bool is_transposed = operation != Operation::plain;
  const auto measure = [&](std::span<const S> x) {
    return measure_column<S>(matrix_.stored, is_transposed, memory.b, x, memory.residual, memory.sums);
  };
  solve_without_refinement(operation, memory.b, memory.x, memory);
  std::optional<ColumnReport> best = measure(memory.x);
  for (int step = 1; best && step <= refinement_.max_steps && refinement_error<S>(*best, refinement_) > 1; ++step) {
    const double error = refinement_error<S>(*best, refinement_);
    solve_without_refinement(operation, memory.residual, memory.candidate, memory);
    std::transform(memory.x.begin(), memory.x.end(), memory.candidate.begin(), memory.candidate.begin(), std::plus<>());
    const std::optional<ColumnReport> corrected = measure(memory.candidate);
    if (!corrected || !(refinement_error<S>(*corrected, refinement_) < error)) {
      break;
    }
    std::swap(memory.x, memory.candidate);
    best = corrected;
    best->refinement_steps = step;
    if (refinement_error<S>(*best, refinement_) > error / 2) {
      break;
    }
  }
  const bool is_accurate = best && best->componentwise_backward_error <= kComponentwiseAccuracy<S> &&
                           best->normwise_backward_error <= kAccuracyTarget<S>;
  if (!is_accurate && refinement_.max_steps == 0) {  // x is to be that of the factors, whatever it is
    return BackwardErrorMeter<S>(matrix_.stored, operation).measure(memory.b, memory.x, memory.residual);
  }
  return is_accurate ? best : std::nullopt;
}

template <Scalar S>
void ThinSystem<S>::solve_without_refinement(Operation operation, std::span<const S> b, std::span<S> x, Memory& memory) const {
  const std::vector<Index>& columns = analysis_->plan().order.column_order;
  S* sweep = memory.sweep.data();
  if (operation == Operation::plain) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      sweep[k] = b[pivot_rows_[k]] * pivot_scales_[k];
    }
    factors_.solve(sweep);
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[columns[k]] = sweep[k];
    }
  } else {
    for (std::size_t k = 0; k < x.size(); ++k) {
      sweep[k] = b[columns[k]];
    }
    factors_.solve_transposed(sweep);
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[pivot_rows_[k]] = sweep[k] * pivot_scales_[k];
    }
  }
}

template <Scalar S>
const SystemReport& ThinSystem<S>::report() const {
  const std::lock_guard lock(reporting_);
  if (!report_) {
    SystemReport& report = report_.emplace();
    report.method = Method::lu;
    report.scaling = ScalingKind::equilibrate;
    report.equilibration_sweeps = 1;
    report.rank = {.lowest = factors_.order(), .highest = factors_.order()};
    report.factorization = count();
    report.notes = notes_of_values(matrix_.stored, analysis_->options());
  }
  return *report_;
}

template <Scalar S>
FactorizationReport ThinSystem<S>::count() const {
  const SparseColumns<S>& lower = factors_.lower();
  const SparseColumns<S>& upper = factors_.upper();
  FactorizationReport report;
  judge_pivots(report);
  report.smallest_pivot_variable = pivot_rows_[factors_.extremes().smallest];
  report.num_workers_seen = 1;
  report.factor_entries = static_cast<Count>(lower.rows.size() + upper.rows.size()) + factors_.order();
  report.factor_bytes = static_cast<Count>(factors_.memory_bytes());
  report.peak_bytes = report.factor_bytes;
  const auto height = [&lower](Index pivot) { return static_cast<double>(lower.offsets[pivot + 1] - lower.offsets[pivot]); };
  for (Index column = 0; column < factors_.order(); ++column) {
    report.flops += height(column);
    report.determinant *= Determinant(std::complex<double>(factors_.pivots()[column]));
    report.determinant /= Determinant(std::complex<double>(pivot_scales_[column]));
  }
  for (const Index pivot : upper.rows) {
    report.flops += 2 * height(pivot);
  }
  if (is_odd(pivot_rows_) != is_odd(analysis_->plan().order.column_order)) {
    report.determinant.negate();
  }
  return report;
}

FROND_INSTANTIATE_CLASS(ThinSystem)

}  // namespace frond
