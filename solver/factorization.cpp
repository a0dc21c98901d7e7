// SPDX-License-Identifier: BSD-3-Clause
// The way of a linear system through the phases.
#include "solver/factorization.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/structural_rank.hpp"
#include "matrices/build.hpp"
#include "matrices/dense_matrix.hpp"
#include "matrices/error.hpp"
#include "matrices/symmetry.hpp"
#include "solver/backward_error.hpp"
#include "solver/condition.hpp"
#include "solver/equilibrate.hpp"
#include "solver/refine.hpp"
#include "solver/solve.hpp"

namespace frond {
namespace {

// True when every diagonal entry is stored and its real part is positive: necessary for A to be positive definite.
template <Scalar S>
bool has_positive_diagonal(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto begin = pattern.row_indices.begin() + pattern.column_offsets[static_cast<std::size_t>(j)];
    const auto end = pattern.row_indices.begin() + pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    const auto diagonal = std::find(begin, end, j);
    if (diagonal == end || !(std::real(matrix.values[static_cast<std::size_t>(diagonal - pattern.row_indices.begin())]) > 0)) {
      return false;
    }
  }
  return true;
}

// The method for a symmetric or Hermitian matrix that may be indefinite.
template <Scalar S>
Method indefinite_method(Symmetry symmetry) {
  return kIsComplex<S> && symmetry == Symmetry::hermitian ? Method::ldlh : Method::ldlt;
}

template <Scalar S>
bool may_be_positive_definite(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !kIsComplex<S>);
}

template <Scalar S>
void check_method(Method method, Symmetry symmetry) {
  const bool is_symmetric_kind = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
  const bool fits = method == Method::lu || (method == Method::cholesky && may_be_positive_definite<S>(symmetry)) ||
                    (is_symmetric_kind && method == indefinite_method<S>(symmetry));
  if (!fits) {
    throw UsageError(fmt::format("the method {} does not apply to a {} {} matrix; leave the method to Frond", to_string(method),
                                 kIsComplex<S> ? "complex" : "real", to_string(symmetry)));
  }
}

// LU needs both triangles.
bool needs_expansion(Symmetry symmetry, Method method) { return method == Method::lu && symmetry != Symmetry::general; }

// Whether `symbolic` can be of this pattern: order, symmetry and number of entries.
void check_analysis(const Symbolic& symbolic, const PatternView& pattern) {
  if (symbolic.order() != pattern.num_cols || symbolic.entries().num_entries() != pattern.num_entries() ||
      symbolic.symmetry() != pattern.symmetry) {
    throw UsageError(
        fmt::format("the analysis is of a {} pattern of order {} with {} entries, but a {} one of order {} with {} entries is to "
                    "be factorized; analyze "
                    "the matrix itself, with the same method",
                    to_string(symbolic.symmetry()), symbolic.order(), symbolic.entries().num_entries(), to_string(pattern.symmetry),
                    pattern.num_cols, pattern.num_entries()));
  }
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
DenseView<const S> view_of(const DenseMatrix<S>& matrix) {
  return {matrix.values.data(), matrix.num_rows, matrix.num_cols, std::max(matrix.num_rows, Index{1})};
}

}  // namespace

template <Scalar S>
Method choose_method(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  const Symmetry symmetry = matrix.stored.pattern.symmetry;
  if (options.method) {
    check_method<S>(*options.method, symmetry);
    return *options.method;
  }
  if (symmetry == Symmetry::general || symmetry == Symmetry::skew_symmetric) {
    return Method::lu;
  }
  const bool tries_cholesky = may_be_positive_definite<S>(symmetry) && has_positive_diagonal(matrix.stored);
  return tries_cholesky ? Method::cholesky : indefinite_method<S>(symmetry);
}

template <Scalar S>
std::shared_ptr<const Symbolic> analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  check_system(matrix);
  AnalysisOptions analysis = options.analysis;
  analysis.method = choose_method(matrix, options);
  if (needs_expansion(matrix.stored.pattern.symmetry, *analysis.method)) {
    return analyze(expand_to_general(matrix.stored).pattern(), analysis);
  }
  return analyze(matrix.stored.pattern, analysis);
}

template <Scalar S>
Factorization<S>::Factorization(std::shared_ptr<const Symbolic> symbolic, const SystemMatrix<S>& matrix, SolverOptions options)
    : symbolic_(std::move(symbolic)), options_(std::move(options)), matrix_(matrix), plan_(symbolic_->tree()) {
  check_system(matrix_);
  const Method method = choose_method(matrix_, options_);
  const Symmetry symmetry = matrix_.stored.pattern.symmetry;
  SparseMatrix<S> expanded;
  MatrixView<S> whole = matrix_.stored;
  if (needs_expansion(symmetry, method)) {
    expanded = expand_to_general(matrix_.stored);
    whole = expanded.view();
  }
  check_analysis(*symbolic_, whole.pattern);
  factorize_with(method, whole);
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !options_.method) {
    const Method fallback = indefinite_method<S>(symmetry);
    report_.notes.push_back(fmt::format(
        "the diagonal is positive but the matrix is not positive definite (pivot of variable {}): {} took the place of Cholesky",
        report_.factorization.null_pivots.front() + 1, to_string(fallback)));
    factorize_with(fallback, whole);
  }
  if (report_.factorization.status == FactorizationStatus::success) {
    look_for_hidden_singularity(whole);
  }
}

// A matrix can be singular to working precision without a pivot that shows it, when its null vectors are spread over many
// variables. Such a factorization has at least one small pivot, though; only then is the condition estimated.
template <Scalar S>
void Factorization<S>::look_for_hidden_singularity(const MatrixView<S>& whole) {
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  FactorizationReport& factorization = report_.factorization;
  if (factorization.smallest_pivot > std::sqrt(eps)) {
    return;
  }
  const double condition = estimate_scaled_condition(*factors_, plan_, whole, options_.factorization.num_threads);
  if (condition >= 1 / eps) {
    factorization.status = FactorizationStatus::singular;
    factorization.null_pivots = {factorization.smallest_pivot_variable};
    report_.notes.push_back(fmt::format(
        "the condition number of the equilibrated matrix is at least {:.1e}; its smallest pivot, {:.1e}, counts as zero", condition,
        factorization.smallest_pivot));
  }
}

// Pivots that no values can provide pile up in ever larger fronts. When memory ends over that, the matrix is singular whatever its
// values, and that is the answer; otherwise rethrows `error`.
template <Scalar S>
FactorizationReport Factorization<S>::structural_verdict(const MatrixView<S>& whole, const MemoryError& error) {
  StructuralRank structure = whole.pattern.symmetry == Symmetry::general ? structural_rank(whole.pattern)
                                                                         : structural_rank(expand_to_general(whole).pattern());
  if (structure.unmatched_columns.empty()) {
    throw error;
  }
  report_.notes.push_back(fmt::format("the pattern allows no more than rank {}; the equations that are left were not solved: {}",
                                      structure.rank, error.what()));
  FactorizationReport report;
  report.status = FactorizationStatus::singular;
  report.null_pivots = std::move(structure.unmatched_columns);
  return report;
}

template <Scalar S>
void Factorization<S>::factorize_with(Method method, const MatrixView<S>& whole) {
  Scaling<RealOf<S>> scaling = equilibrate(whole, options_.equilibration);
  FactorizationResult<S> result;
  try {
    result =
        factorize<S>(symbolic_, method, whole.values, std::move(scaling.rows), std::move(scaling.cols), options_.factorization);
  } catch (const MemoryError& error) {
    result.report = structural_verdict(whole, error);
  }
  factors_ = std::move(result.factors);
  report_.method = method;
  report_.equilibration_sweeps = scaling.num_sweeps;
  report_.factorization = std::move(result.report);
}

template <Scalar S>
SolveReport Factorization<S>::solve(std::span<const S> b, std::span<S> x, Operation operation) const {
  if (b.size() != x.size() || x.size() != static_cast<std::size_t>(matrix_.order())) {
    throw UsageError(fmt::format("the matrix has order {}, but b has {} entries and x {}", matrix_.order(), b.size(), x.size()));
  }
  const Index ld = std::max(matrix_.order(), Index{1});
  return solve(DenseView<const S>{b.data(), matrix_.order(), 1, ld}, DenseView<S>{x.data(), matrix_.order(), 1, ld}, operation);
}

// What is stored may be A^T. op(A) is then the transposed of the stored matrix V, V itself or conj(V); the last one is solved as
// V conj(x) = conj(b).
template <Scalar S>
SolveReport Factorization<S>::solve(DenseView<const S> b, DenseView<S> x, Operation operation) const {
  check_right_hand_sides(matrix_.order(), b, x);
  if (!factors_) {
    fill_with_nan(x);
    return judge({});
  }
  const bool conjugated = matrix_.transposed && operation == Operation::adjoint;
  Operation stored_operation = operation;
  if (matrix_.transposed) {
    stored_operation = operation == Operation::plain ? Operation::transposed : Operation::plain;
  }
  const BackwardErrorMeter<S> meter(matrix_.stored, stored_operation);
  const RefinedSolve<S> refined{
      *factors_, plan_, stored_operation, meter, options_.refinement.max_steps, options_.factorization.num_threads};
  std::vector<ColumnReport> columns(static_cast<std::size_t>(b.cols));
  for (Index begin = 0; begin < b.cols; begin += kSolveBlock) {
    const Index end = std::min(b.cols, begin + kSolveBlock);
    const std::span<ColumnReport> reports =
        std::span(columns).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    if (conjugated) {
      const DenseMatrix<S> conjugate_b = conjugated_copy(b.columns(begin, end));
      refined.run(view_of(conjugate_b), x.columns(begin, end), reports);
      conjugate_entries(x.columns(begin, end));
    } else {
      refined.run(b.columns(begin, end), x.columns(begin, end), reports);
    }
  }
  return judge(std::move(columns));
}

template <Scalar S>
SolveReport Factorization<S>::judge(std::vector<ColumnReport> columns) const {
  const FactorizationReport& factorization = report_.factorization;
  SolveReport report;
  report.target = kAccuracyTarget<S>;
  report.columns = std::move(columns);
  report.order = matrix_.order();
  report.num_null_pivots = static_cast<Index>(factorization.null_pivots.size());
  report.first_null_pivot = factorization.null_pivots.empty() ? -1 : factorization.null_pivots.front();
  if (factorization.status == FactorizationStatus::not_positive_definite) {
    report.verdict = Verdict::not_positive_definite;
  } else if (factorization.status == FactorizationStatus::singular) {
    report.verdict = Verdict::singular;
  } else if (report.worst().normwise_backward_error > report.target) {
    report.verdict = Verdict::accuracy_missed;
  }
  return report;
}

template Method choose_method(const SystemMatrix<float>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<float>&, const SolverOptions&);
template class Factorization<float>;
template Method choose_method(const SystemMatrix<double>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<double>&, const SolverOptions&);
template class Factorization<double>;
template Method choose_method(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template class Factorization<std::complex<float>>;
template Method choose_method(const SystemMatrix<std::complex<double>>&, const SolverOptions&);
template std::shared_ptr<const Symbolic> analyze(const SystemMatrix<std::complex<double>>&, const SolverOptions&);
template class Factorization<std::complex<double>>;

}  // namespace frond
