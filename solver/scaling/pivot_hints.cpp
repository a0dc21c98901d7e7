// SPDX-License-Identifier: BSD-3-Clause
// Scaled magnitudes, after the block triangular form.
#include "solver/scaling/pivot_hints.hpp"

#include <cmath>
#include <complex>
#include <cstddef>

namespace frond {

template <Scalar S>
PivotHints pivot_hints(const MatrixView<S>& matrix, Method method, const SolverOptions& options, FoundScales& scales) {
  const OrderingOptions& ordering = options.analysis.ordering;
  PivotHints hints;
  if (method == Method::cholesky || ordering.matching == MatchingUse::never || ordering.kind == OrderingKind::given ||
      ordering.kind == OrderingKind::natural) {
    return hints;
  }
  const PatternView& pattern = matrix.pattern;
  hints.blocks = find_blocks(pattern, options.analysis);
  const Scaling<RealOf<S>> scaling = scales.of_kind(matrix, options.scaling, {}, *hints.blocks);
  std::vector<double>& magnitudes = hints.magnitudes;
  magnitudes.resize(matrix.values.size());
  for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.num_cols); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < static_cast<std::size_t>(pattern.column_offsets[j + 1]);
         ++k) {
      magnitudes[k] = static_cast<double>(std::abs(matrix.values[k]));
      if (!scaling.rows.empty()) {
        const auto i = static_cast<std::size_t>(pattern.row_indices[k]);
        magnitudes[k] = magnitudes[k] * static_cast<double>(scaling.rows[i]) * static_cast<double>(scaling.cols[j]);
      }
    }
  }
  return hints;
}

template PivotHints pivot_hints(const MatrixView<float>&, Method, const SolverOptions&, FoundScales&);
template PivotHints pivot_hints(const MatrixView<double>&, Method, const SolverOptions&, FoundScales&);
template PivotHints pivot_hints(const MatrixView<std::complex<float>>&, Method, const SolverOptions&, FoundScales&);
template PivotHints pivot_hints(const MatrixView<std::complex<double>>&, Method, const SolverOptions&, FoundScales&);

}  // namespace frond
