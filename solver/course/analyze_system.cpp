// SPDX-License-Identifier: BSD-3-Clause
// What symmetry, diagonal and options say of the method, and the analysis for it.
#include "solver/course/analyze_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "factorization/factorize.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/stop_request.hpp"
#include "matrices/symmetry.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/problem/report.hpp"
#include "solver/saved/saved_system.hpp"
#include "solver/scaling/scaling.hpp"
#include "solver/verdict/outcome.hpp"

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

// Scales that were found before rows were matched are of no use after.
template <Scalar S>
void analyze_entries(const MatrixView<S>& entries, AnalysisParts& parts) {
  const SolverOptions& options = parts.options;
  AnalysisOptions analysis = options.analysis;
  analysis.method = parts.method;
  analysis.ordering.num_threads = number_of_threads(options.factorization.num_threads);
  analysis.ordering.stop_requested = options.stop_requested;
  FoundScales scales;
  const std::vector<double> magnitudes =
      on_threads(options.factorization.num_threads, [&] { return magnitudes_for_pivots(entries, parts.method, options, scales); });
  parts.symbolic = analyze(entries.pattern, analysis, magnitudes);
  if (!scales.found().empty() && parts.symbolic->row_of_column().empty()) {
    parts.scales = {std::move(scales), options.scaling, values_hash<S>(entries.values)};
  }
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
FoundScales AnalysisParts::scales_of(std::span<const S> values) const {
  const bool are_known = scales && scales->options.max_sweeps == options.scaling.max_sweeps &&
                         scales->options.tolerance == options.scaling.tolerance && scales->values_hash == values_hash<S>(values);
  return are_known ? scales->scales : FoundScales();
}

template <Scalar S>
AnalysisParts analyze_system(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  check_system(matrix);
  stop_if(options.stop_requested);
  AnalysisParts parts{.place = {}, .symbolic = {}, .method = choose_method(matrix, options), .options = options};
  if (needs_expansion(matrix.stored.pattern.symmetry, parts.method)) {
    const SparseMatrix<S> whole = expand_to_general(matrix.stored);
    analyze_entries(whole.view(), parts);
  } else {
    analyze_entries(matrix.stored, parts);
  }
  return parts;
}

template FoundScales AnalysisParts::scales_of(std::span<const float>) const;
template Method choose_method(const SystemMatrix<float>&, const SolverOptions&);
template AnalysisParts analyze_system(const SystemMatrix<float>&, const SolverOptions&);
template FoundScales AnalysisParts::scales_of(std::span<const double>) const;
template Method choose_method(const SystemMatrix<double>&, const SolverOptions&);
template AnalysisParts analyze_system(const SystemMatrix<double>&, const SolverOptions&);
template FoundScales AnalysisParts::scales_of(std::span<const std::complex<float>>) const;
template Method choose_method(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template AnalysisParts analyze_system(const SystemMatrix<std::complex<float>>&, const SolverOptions&);
template FoundScales AnalysisParts::scales_of(std::span<const std::complex<double>>) const;
template Method choose_method(const SystemMatrix<std::complex<double>>&, const SolverOptions&);
template AnalysisParts analyze_system(const SystemMatrix<std::complex<double>>&, const SolverOptions&);

}  // namespace frond
