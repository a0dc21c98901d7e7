// SPDX-License-Identifier: BSD-3-Clause
// Implements the user's view of an analysis.
#include "frond/analysis.hpp"

#include <utility>

#include "solver/course/analyze_system.hpp"
#include "solver/course/place_parts.hpp"

namespace frond {

Analysis::Analysis(AnalysisParts parts) : parts_(std::make_shared<const AnalysisParts>(std::move(parts))) {}

const SolverOptions& Analysis::options() const { return parts_->options; }
Method Analysis::method() const { return parts_->method; }

Analysis Analysis::with_options(SolverOptions options) const {
  AnalysisParts parts = *parts_;
  options.analysis = std::move(parts.options.analysis);
  parts.method = options.method.value_or(parts.method);
  parts.options = std::move(options);
  if (const std::shared_ptr<Prepared> prepared = std::exchange(parts.prepared, nullptr)) {
    prepared->release();  // under the options of before
  }
  return Analysis(std::move(parts));
}

template <Scalar S>
Analysis Analysis::with_values(const SystemMatrix<S>& matrix) const {
  return Analysis(parts_->place.parts().of<S>().fit(*parts_, matrix));
}

template <Scalar S>
Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place) {
  return Analysis(place.parts().of<S>().analyze(matrix, options));
}

template <Scalar S>
Analysis analyze(const Triplets<S>& mine, const SolverOptions& options, const Place& place) {
  return analyze(place.parts().of<S>().assemble(mine), options, place);
}

template <Scalar S>
Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options) {
  return Analysis(analyze_pattern_of_system<S>(pattern, options));
}

#define FROND_INSTANTIATE(S)                                                             \
  template Analysis Analysis::with_values(const SystemMatrix<S>&) const;                 \
  template Analysis analyze_pattern<S>(const PatternView&, const SolverOptions&);        \
  template Analysis analyze(const SystemMatrix<S>&, const SolverOptions&, const Place&); \
  template Analysis analyze(const Triplets<S>&, const SolverOptions&, const Place&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
