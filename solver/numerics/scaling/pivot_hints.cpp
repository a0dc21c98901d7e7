// SPDX-License-Identifier: BSD-3-Clause
// Computes scaled magnitudes, after the block triangular form.
#include "solver/numerics/scaling/pivot_hints.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

#include "factorization/fronts/pivot_tolerances.hpp"

namespace frond {

template <Scalar S>
double lowest_threshold(const SolverOptions& options) {
  const PivotingOptions& pivoting = options.factorization.pivoting;
  const bool may_lower = pivoting.may_lower_threshold && pivoting.kind == PivotingKind::threshold && !options.mixed_precision &&
                         options.factorization.kept == KeptFactors::all && options.analysis.schur_variables.empty();
  return may_lower ? std::min(pivoting.pivot_threshold, kLoweredThreshold<RealOf<S>>) : pivoting.pivot_threshold;
}

bool asks_for_magnitudes(Method method, const OrderingOptions& ordering) {
  return method != Method::cholesky && ordering.matching != Use::never && ordering.kind != OrderingKind::given &&
         ordering.kind != OrderingKind::natural;
}

template <Scalar S>
std::vector<double> scaled_magnitudes(const MatrixView<S>& matrix, const ScalingOptions& options, const BlockTriangularForm& blocks,
                                      FoundScales& scales) {
  const PatternView& pattern = matrix.pattern;
  const Scaling<RealOf<S>> scaling = scales.of_kind(matrix, options, {}, blocks);
  std::vector<double> magnitudes(matrix.values.size());
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
  return magnitudes;
}

template <Scalar S>
PivotHints pivot_hints(const MatrixView<S>& matrix, Method method, const SolverOptions& options, FoundScales& scales) {
  PivotHints hints;
  if (asks_for_magnitudes(method, options.analysis.ordering)) {
    hints.blocks = find_blocks(matrix.pattern, options.analysis);
    hints.lowest_threshold = lowest_threshold<S>(options);
    hints.magnitudes = scaled_magnitudes(matrix, scaling_options(options), *hints.blocks, scales);
  }
  return hints;
}

#define FROND_INSTANTIATE(S)                                                                                              \
  template double lowest_threshold<S>(const SolverOptions&);                                                              \
  template std::vector<double> scaled_magnitudes(const MatrixView<S>&, const ScalingOptions&, const BlockTriangularForm&, \
                                                 FoundScales&);                                                           \
  template PivotHints pivot_hints(const MatrixView<S>&, Method, const SolverOptions&, FoundScales&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
