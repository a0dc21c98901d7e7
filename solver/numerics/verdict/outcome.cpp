// SPDX-License-Identifier: BSD-3-Clause
// Implements verdicts, notes, and the conversion of right-hand sides to the stored form.
#include "solver/numerics/verdict/outcome.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "analysis/pivots/structural_rank.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/appended_columns.hpp"

namespace frond {
namespace {

constexpr double kSafePivotThreshold = 0.5;

}  // namespace

std::string fallback_note(const FactorizationReport& cholesky, Method fallback) {
  return fmt::format(
      "the diagonal is positive but the matrix is not positive definite (pivot of variable {}, counted from 1): {} took the "
      "place of Cholesky",
      cholesky.null_pivots.front() + 1, to_string(fallback));
}

template <Scalar S>
FactorizationReport structural_verdict(const MatrixView<S>& whole, const MemoryError& error, std::vector<std::string>& notes) {
  StructuralRank structure = structural_rank(whole.pattern);
  if (structure.unmatched_columns.empty()) {
    throw error;
  }
  notes.push_back(fmt::format("the pattern allows no more than rank {}; the equations that are left were not solved: {}",
                              structure.rank, error.what()));
  FactorizationReport report;
  report.status = FactorizationStatus::singular;
  report.determinant = Determinant(0);
  report.null_pivots = std::move(structure.unmatched_columns);
  return report;
}

template <Scalar S>
bool may_hide_singularity(const FactorizationReport& report) {
  constexpr double kSmall = std::is_same_v<RealOf<S>, float> ? 7 : 16;
  const double small = kSmall * std::sqrt(static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  return report.smallest_pivot <= small * report.largest_entry || report.num_perturbed_pivots > 0;
}

void count_smallest_pivot_as_zero(SystemReport& report) {
  FactorizationReport& factorization = report.factorization;
  factorization.status = FactorizationStatus::singular;
  Inertia& inertia = factorization.inertia;
  if (factorization.smallest_pivot_sign != 0) {
    --(factorization.smallest_pivot_sign > 0 ? inertia.positive : inertia.negative);
    ++inertia.zero;
  }
  factorization.determinant = Determinant(0);
  factorization.null_pivots = {factorization.smallest_pivot_variable};
  report.is_singular_by_condition = true;
}

template <Scalar S>
void note_condition(const ConditionEstimate& estimate, SystemReport& report) {
  if (!estimate.is_trusted) {
    report.notes.emplace_back(
        "the condition number is not known: with enlarged pivots, refinement does not converge for every right-hand side, as for a "
        "matrix that is singular or nearly so; threshold pivoting would show whether it is one");
    return;
  }
  FactorizationReport& factorization = report.factorization;
  report.equilibrated_condition = estimate.condition;
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  if (estimate.condition >= 1 / eps) {
    count_smallest_pivot_as_zero(report);
    report.notes.push_back(fmt::format(
        "the condition number of the equilibrated matrix is at least {:.1e}; its smallest pivot, {:.1e}, counts as zero",
        estimate.condition, factorization.smallest_pivot));
  }
}

void note_perturbations(SystemReport& report) {
  if (const Count num_perturbed = report.factorization.num_perturbed_pivots; num_perturbed > 0) {
    report.notes.push_back(fmt::format(
        "static pivoting enlarged {} pivots: what pivots say of inertia, rank and determinant is true of the perturbed matrix",
        num_perturbed));
  }
}

bool may_choose_null_pivots(const PivotingOptions& pivoting, Method method, const std::optional<Method>& asked) {
  const bool has_choice = method != Method::cholesky || !asked;
  return has_choice && pivoting.null_threshold == 0 && pivoting.kind == PivotingKind::threshold;
}

template <Scalar S>
SaferFactorization safer_factorization(Method method, Index order) {
  return {.method = method == Method::cholesky ? indefinite_method<S>(Symmetry::hermitian) : method,
          .pivoting = {.pivot_threshold = method == Method::lu ? 1 : kSafePivotThreshold,
                       .null_threshold = 10 * default_null_threshold<S>(order)}};
}

void check_factors_kept(KeptFactors kept) {
  if (kept != KeptFactors::all) {
    throw UsageError(
        "the factors were given back while they were computed, as the option keep asks for: to solve, or for other answers that "
        "need factors, factorize with keep all (in C++ KeptFactors::all)");
  }
}

void check_kept_options(const SolverOptions& options) {
  if (options.factorization.kept == KeptFactors::backward) {
    throw UsageError("factors for one backward sweep serve solve_once() only: factorize with KeptFactors::all, or none");
  }
  if (options.factorization.kept == KeptFactors::none && options.mixed_precision) {
    throw UsageError(
        "without factors nothing can show whether single precision is enough: factorize in full precision, or keep the factors");
  }
}

template <Scalar S>
void check_mixed() {
  if (!kHasLower<S>) {
    throw UsageError("mixed precision is for matrices in double precision: this one is in single precision");
  }
}

template <Scalar S>
std::optional<std::string> lower_precision_note(bool has_factors, const ConditionEstimate& estimate) {
  if (!has_factors) {
    return "in single precision the matrix has no usable factors: it was factorized in double precision";
  }
  if (!estimate.is_trusted) {
    return "with factors in single precision refinement does not converge for every right-hand side, as for a matrix that is "
           "nearly "
           "singular: it was factorized in double precision";
  }
  if (estimate.condition >= 1 / static_cast<double>(std::numeric_limits<RealOf<LowerOf<S>>>::epsilon())) {
    return fmt::format(
        "the condition number of the equilibrated matrix is at least {:.1e}, too much for factors in single precision: it was "
        "factorized in double precision",
        estimate.condition);
  }
  return std::nullopt;
}

template <Scalar S>
void note_structural_singularity(const Symbolic& symbolic, const MatrixView<S>& whole, SystemReport& report) {
  FactorizationReport& factorization = report.factorization;
  if (factorization.num_perturbed_pivots > 0 && symbolic.structural_rank() < symbolic.order()) {
    factorization.status = FactorizationStatus::singular;
    factorization.determinant = Determinant(0);
    factorization.null_pivots = structural_rank(whole.pattern).unmatched_columns;
  }
}

StoredOperation stored_operation(bool is_transposed, Operation operation) {
  if (!is_transposed) {
    return {operation, false};
  }
  return {operation == Operation::plain ? Operation::transposed : Operation::plain, operation == Operation::adjoint};
}

template <Scalar S>
void check_right_hand_sides(Index order, DenseView<const S> b, DenseView<S> x) {
  if (b.rows != order || x.rows != order || b.cols != x.cols) {
    throw UsageError(
        fmt::format("the matrix has order {}, but B is {} by {} and X {} by {}", order, b.rows, b.cols, x.rows, x.cols));
  }
  if (b.ld < order || x.ld < order) {
    throw UsageError(fmt::format("the leading dimensions of B and X, {} and {}, are below the order {}", b.ld, x.ld, order));
  }
  for (Index j = 0; j < b.cols; ++j) {
    if (!std::isfinite(largest_magnitude(std::span<const S>(b.column(j), static_cast<std::size_t>(order))))) {
      check_finite(DenseRows<const S>{all_rows(order), b});
    }
  }
}

template <Scalar S>
void check_in_place(Index order, DenseView<const S> x) {
  if (x.rows != order) {
    throw UsageError(fmt::format("the matrix has order {}, but X is {} by {}", order, x.rows, x.cols));
  }
  if (x.ld < order) {
    throw UsageError(fmt::format("the leading dimension of X, {}, is below the order {}", x.ld, order));
  }
  check_finite(DenseRows<const S>{all_rows(order), x});
}

void check_no_schur_complement(bool keeps_schur_complement) {
  if (keeps_schur_complement) {
    throw UsageError(
        "the factors leave a Schur complement, and are those of the other variables only: for the null space of the matrix, or "
        "solves "
        "with its factors, analyse it without schur_variables");
  }
}

void throw_no_parts(bool is_mixed) {
  throw UsageError(is_mixed ? "the factors are of single precision, and solves with one of them have no more digits: factorize in "
                              "full precision for solves with parts"
                            : "there are no factors to solve with: see the status in report()");
}

template <Scalar S>
void fill_with_nan(DenseView<S> x) {
  for (Index j = 0; j < x.cols; ++j) {
    std::fill_n(x.column(j), x.rows, S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  }
}

template <Scalar S>
void conjugate_entries(DenseView<S> x) {
  for (Index j = 0; j < x.cols; ++j) {
    std::transform(x.column(j), x.column(j) + x.rows, x.column(j), [](S value) { return conjugate(value); });
  }
}

template <Scalar S>
DenseMatrix<S> conjugated_copy(DenseView<const S> b) {
  DenseMatrix<S> copy(b.rows, b.cols);
  for (Index j = 0; j < b.cols; ++j) {
    std::transform(b.column(j), b.column(j) + b.rows, copy.column(j).begin(), [](S value) { return conjugate(value); });
  }
  return copy;
}

template <Scalar S>
SolveReport judge(std::vector<ColumnReport> columns, const FactorizationReport& factorization, const RankProof& rank, Index order) {
  SolveReport report;
  report.rank = rank;
  report.epsilon = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  report.target = kAccuracyTarget<S>;
  report.columns = std::move(columns);
  report.order = order;
  report.null_pivots = factorization.null_pivots;
  if (factorization.status == FactorizationStatus::not_positive_definite) {
    report.verdict = Verdict::not_positive_definite;
  } else if (report.columns.empty() && rank.status == RankVerdict::in_doubt &&
             (factorization.status == FactorizationStatus::success || rank.highest == order)) {
    report.verdict = Verdict::rank_in_doubt;
  } else if (factorization.status == FactorizationStatus::singular) {
    report.verdict = Verdict::singular;
    report.condition = std::numeric_limits<double>::infinity();
  } else if (std::any_of(report.columns.begin(), report.columns.end(), is_inaccurate<S>)) {
    report.verdict = Verdict::accuracy_missed;
  }
  return report;
}

template <Scalar S>
bool may_stay_unmeasured(const FactorizationReport& factorization) {
  return factorization.pivot_growth <= 1 / std::cbrt(static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
}

template <Scalar S>
SolveReport judge_unmeasured(Index num_columns, const RankProof& rank, Index order) {
  ColumnReport column;
  for (double* error : {&column.normwise_backward_error, &column.componentwise_backward_error, &column.improvable_backward_error}) {
    *error = std::numeric_limits<double>::quiet_NaN();
  }
  SolveReport report = judge<S>(std::vector(static_cast<std::size_t>(num_columns), column), {}, rank, order);
  report.verdict = Verdict::unmeasured;
  return report;
}

// Converts from relative to ||x|| to relative to ||x*||; ||x|| says nothing about that once the error may be as large.
void note_forward_error(const ForwardError& error, ColumnReport& column) {
  column.forward_error_bound = error.bound < 1 ? error.bound / (1 - error.bound) : std::numeric_limits<double>::infinity();
  column.componentwise_condition = error.condition;
}

SolveReport solve_by_blocks(Index num_columns, ErrorBounds bounds,
                            const std::function<SolveReport(Index begin, Index end, ErrorBounds bounds)>& solve) {
  Index end = std::min(num_columns, kSolveBlock);
  SolveReport report = solve(0, end, bounds);
  while (end < num_columns) {
    const Index begin = end;
    end += std::min(num_columns - begin, kSolveBlock);
    append_columns(report, solve(begin, end, bounds_of_others(bounds)));
  }
  return report;
}

Index num_bounded_columns(ErrorBounds asked, FactorizationStatus status, Index num_columns) {
  if (asked == ErrorBounds::never || status != FactorizationStatus::success) {
    return 0;
  }
  return asked == ErrorBounds::all_columns ? num_columns : std::min(num_columns, Index{1});
}

#define FROND_INSTANTIATE(S)                                                                                            \
  template FactorizationReport structural_verdict(const MatrixView<S>&, const MemoryError&, std::vector<std::string>&); \
  template SaferFactorization safer_factorization<S>(Method, Index);                                                    \
  template void check_mixed<S>();                                                                                       \
  template std::optional<std::string> lower_precision_note<S>(bool, const ConditionEstimate&);                          \
  template void note_structural_singularity(const Symbolic&, const MatrixView<S>&, SystemReport&);                      \
  template bool may_hide_singularity<S>(const FactorizationReport&);                                                    \
  template void note_condition<S>(const ConditionEstimate&, SystemReport&);                                             \
  template void check_right_hand_sides(Index, DenseView<const S>, DenseView<S>);                                        \
  template void check_in_place(Index, DenseView<const S>);                                                              \
  template void fill_with_nan(DenseView<S>);                                                                            \
  template void conjugate_entries(DenseView<S>);                                                                        \
  template DenseMatrix<S> conjugated_copy(DenseView<const S>);                                                          \
  template SolveReport judge<S>(std::vector<ColumnReport>, const FactorizationReport&, const RankProof&, Index);        \
  template bool may_stay_unmeasured<S>(const FactorizationReport&);                                                     \
  template SolveReport judge_unmeasured<S>(Index, const RankProof&, Index);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
