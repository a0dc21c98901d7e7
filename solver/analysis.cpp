// SPDX-License-Identifier: BSD-3-Clause
// Implements the user's view of an analysis.
#include "frond/analysis.hpp"

#include <utility>

#include "solver/course/analyze_system.hpp"
#include "solver/local/local_place.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"

namespace frond {

Analysis::Analysis(AnalysisParts parts) : parts_(std::make_shared<const AnalysisParts>(std::move(parts))) {}

const SolverOptions& Analysis::options() const { return parts_->options; }
Method Analysis::method() const { return parts_->method; }

Analysis Analysis::with_options(SolverOptions options) const {
  AnalysisParts parts = *parts_;
  options.analysis = std::move(parts.options.analysis);
  parts.method = options.method.value_or(parts.method);
  parts.options = std::move(options);
  return Analysis(std::move(parts));
}

template <Scalar S>
Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  check_system(matrix);
  AnalysisParts parts = analyze_system(with_found_symmetry(matrix, options), options);
  parts.place = local_place();
  return Analysis(std::move(parts));
}

template <Scalar S>
Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options) {
  AnalysisParts parts = analyze_pattern_of_system<S>(pattern, options);
  parts.place = local_place();
  return Analysis(std::move(parts));
}

#define FROND_INSTANTIATE(S)                                                      \
  template Analysis analyze_pattern<S>(const PatternView&, const SolverOptions&); \
  template Analysis analyze(const SystemMatrix<S>&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
