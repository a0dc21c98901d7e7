// SPDX-License-Identifier: BSD-3-Clause
// Chooses the method from symmetry, diagonal and options, and makes the analysis for it.
#include "solver/course/analyze_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "analysis/graph/graph.hpp"
#include "factorization/factorize.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/stop_request.hpp"
#include "matrices/symmetry.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/scaling/pivot_hints.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {
namespace {

constexpr Count kFewEntries = 200000;  // take about 10 ms to scale, and as long to order by AMD

// True when every diagonal entry is stored and its real part is positive: necessary for A to be positive definite.
template <Scalar S>
bool has_positive_diagonal(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto begin = pattern.row_indices.begin() + pattern.column_offsets[j];
    const auto end = pattern.row_indices.begin() + pattern.column_offsets[static_cast<std::size_t>(j) + 1];
    const auto diagonal = std::find(begin, end, j);
    if (diagonal == end || !(std::real(matrix.values[diagonal - pattern.row_indices.begin()]) > 0)) {
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

AnalysisOptions analysis_options(const AnalysisParts& parts, const PatternView& pattern) {
  AnalysisOptions analysis = parts.options.analysis;
  analysis.method = parts.method;
  const int num_threads = worthwhile_threads(parts.options.factorization.num_threads, pattern.num_entries());
  analysis.ordering.num_threads = number_of_threads(num_threads);
  analysis.ordering.observer = parts.options.observer.get();
  return analysis;
}

// Orders by the pattern while another thread scales, which serves small matrices better than two threads for each.
template <Scalar S>
void analyze_while_scaling(const MatrixView<S>& entries, AnalysisOptions analysis, FoundScales& scales, AnalysisParts& parts) {
  BlockTriangularForm blocks = on_threads(analysis.ordering.num_threads, [&] { return find_blocks(entries.pattern, analysis); });
  std::future<std::vector<double>> coming = std::async(std::launch::async, [&entries, &scales, &parts, form = blocks] {
    return on_threads(1, [&] { return scaled_magnitudes(entries, scaling_options(parts.options), form, scales); });
  });
  --analysis.ordering.num_threads;
  std::vector<double> magnitudes;
  const PivotMagnitudes when_there(
      [&] {
        if (coming.valid()) {
          magnitudes = coming.get();
        }
        return std::span<const double>(magnitudes);
      },
      lowest_threshold<S>(parts.options));
  parts.symbolic = analyze(entries.pattern, analysis, when_there, std::move(blocks));
  static_cast<void>(when_there.get());
}

// Scales found before rows were matched are useless afterwards.
template <Scalar S>
void analyze_entries(const MatrixView<S>& entries, AnalysisParts& parts) {
  const SolverOptions& options = parts.options;
  const AnalysisOptions analysis = analysis_options(parts, entries.pattern);
  FoundScales scales;
  if (analysis.ordering.num_threads > 1 && entries.pattern.num_entries() <= kFewEntries &&
      asks_for_magnitudes(parts.method, analysis.ordering)) {
    analyze_while_scaling(entries, analysis, scales, parts);
  } else {
    PivotHints hints =
        on_threads(analysis.ordering.num_threads, [&] { return pivot_hints(entries, parts.method, options, scales); });
    parts.symbolic = analyze(entries.pattern, analysis, {hints.magnitudes, hints.lowest_threshold}, std::move(hints.blocks));
  }
  if (parts.symbolic->ordering().has_dear_delays) {
    scales.note_dear_delays();
  }
  if (!scales.found().empty() && parts.symbolic->row_of_column().empty()) {
    parts.scales = {std::move(scales), options.row_scales, options.col_scales, values_hash<S>(entries.values)};
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
FoundScales AnalysisParts::scales_of(const MatrixView<S>& matrix) const {
  if (!scales || scales->row_scales != options.row_scales || scales->col_scales != options.col_scales) {
    return {};
  }
  if (scales->values_hash == values_hash<S>(matrix.values)) {
    return scales->scales;
  }
  const bool may_keep = !symbolic->blocks().splits() && options.checkpoint.directory.empty();
  return may_keep ? scales->scales.kept_for<S>(matrix) : FoundScales();
}

template <Scalar S>
AnalysisParts analyze_system(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  check_system(matrix);
  stop_if(options.observer.get());
  AnalysisParts parts{.place = {}, .symbolic = {}, .method = choose_method(matrix, options), .options = options};
  if (needs_expansion(matrix.stored.pattern.symmetry, parts.method)) {
    const SparseMatrix<S> whole = expand_to_general(matrix.stored);
    analyze_entries(whole.view(), parts);
  } else {
    analyze_entries(matrix.stored, parts);
  }
  return parts;
}

template <Scalar S>
AnalysisParts analyze_pattern_of_system(const PatternView& pattern, const SolverOptions& options) {
  check_pattern(pattern);
  stop_if(options.observer.get());
  const bool is_unsymmetric = pattern.symmetry == Symmetry::general || pattern.symmetry == Symmetry::skew_symmetric;
  if (options.method) {
    check_method<S>(*options.method, pattern.symmetry);
  }
  const Method method = is_unsymmetric ? Method::lu : indefinite_method<S>(pattern.symmetry);
  AnalysisParts parts{.place = {}, .symbolic = {}, .method = options.method.value_or(method), .options = options};
  if (needs_expansion(pattern.symmetry, parts.method)) {
    const std::vector<S> ones(pattern.row_indices.size(), S(1));
    const SparseMatrix<S> whole = expand_to_general(MatrixView<S>{pattern, ones});
    parts.symbolic = analyze(whole.pattern(), analysis_options(parts, whole.pattern()));
  } else {
    parts.symbolic = analyze(pattern, analysis_options(parts, pattern));
  }
  return parts;
}

#define FROND_INSTANTIATE(S)                                                           \
  template FoundScales AnalysisParts::scales_of(const MatrixView<S>&) const;           \
  template Method choose_method(const SystemMatrix<S>&, const SolverOptions&);         \
  template AnalysisParts analyze_system(const SystemMatrix<S>&, const SolverOptions&); \
  template AnalysisParts analyze_pattern_of_system<S>(const PatternView&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
