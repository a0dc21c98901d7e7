// SPDX-License-Identifier: BSD-3-Clause
// Implements the user's view of an analysis.
#include "frond/analysis.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "matrices/stop_request.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/place_parts.hpp"
#include "solver/course/sent_analysis.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/numerics/problem/system_matrix.hpp"
#include "solver/thin/thin_analysis.hpp"

namespace frond {

Analysis::Analysis(AnalysisParts parts) : parts_(std::make_shared<const AnalysisParts>(std::move(parts))) {}

Analysis::Analysis(std::shared_ptr<const ThinAnalysis> thin) : thin_(std::move(thin)) {}

const AnalysisParts& Analysis::parts() const { return thin_ ? thin_->for_fronts() : *parts_; }
Symmetry Analysis::symmetry() const { return thin_ ? thin_->plan().symmetry : parts_->symbolic->symmetry(); }
const Place& Analysis::place() const { return thin_ ? thin_->place() : parts_->place; }
const SolverOptions& Analysis::options() const { return thin_ ? thin_->options() : parts_->options; }
Method Analysis::method() const { return thin_ ? thin_->method() : parts_->method; }

Analysis Analysis::with_options(SolverOptions options) const {
  options.analysis = this->options().analysis;
  if (thin_) {
    if (std::shared_ptr<const ThinAnalysis> thin = thin_->with_options(options)) {
      return Analysis(std::move(thin));
    }
  }
  AnalysisParts parts = this->parts();
  parts.method = options.method.value_or(parts.method);
  parts.options = std::move(options);
  if (const std::shared_ptr<Prepared> prepared = std::exchange(parts.prepared, nullptr)) {
    prepared->release();  // under the options of before
  }
  return Analysis(std::move(parts));
}

template <Scalar S>
Analysis Analysis::with_values(const SystemMatrix<S>& matrix) const {
  if (thin_ && thin_->plan().serves(matrix.stored.pattern)) {
    check_system(matrix);
    if (thin_->suits(matrix.stored)) {
      return *this;
    }
  }
  return Analysis(parts().place.parts().of<S>().fit(parts(), matrix));
}

template <Scalar S>
Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options, const Place& place) {
  if (!place.parts().is_distributed()) {
    check_system(matrix);
    stop_if(options.observer.get());
    if (std::shared_ptr<const ThinAnalysis> thin = analyze_thin(matrix, options, place)) {
      return Analysis(std::move(thin));
    }
  }
  return Analysis(place.parts().of<S>().analyze(matrix, options));
}

template <Scalar S>
Analysis analyze(const Triplets<S>& mine, const SolverOptions& options, const Place& place) {
  return analyze(place.parts().of<S>().assemble(mine), options, place);
}

template <Scalar S>
Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options, const Place& place) {
  if (!place.parts().is_distributed()) {
    return Analysis(analyze_pattern_of_system<S>(pattern, options));
  }
  const Team& team = place.parts().team();
  std::vector<std::byte> bytes;
  team.agree_on_leader([&] {
    SolverOptions for_ranks = options;
    for_ranks.analysis.mapping.num_ranks = place.num_ranks();
    bytes = bytes_of(Analysis(analyze_pattern_of_system<S>(pattern, for_ranks)));
  });
  share_list(team, bytes);
  AnalysisParts parts;
  team.agree([&] {
    parts = analysis_of(bytes, options).parts();
    parts.place = place;
  });
  return Analysis(std::move(parts));
}

#define FROND_INSTANTIATE(S)                                                                    \
  template Analysis Analysis::with_values(const SystemMatrix<S>&) const;                        \
  template Analysis analyze_pattern<S>(const PatternView&, const SolverOptions&, const Place&); \
  template Analysis analyze(const SystemMatrix<S>&, const SolverOptions&, const Place&);        \
  template Analysis analyze(const Triplets<S>&, const SolverOptions&, const Place&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
