// SPDX-License-Identifier: BSD-3-Clause
// Sends an analysis by the fields in which it is saved.
#include "solver/course/sent_analysis.hpp"

#include <utility>

#include "solver/course/analyze_system.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {
namespace {

/// The parts of an analysis that are sent. Scales of the analysed values are not.
struct SentAnalysis {
  Method method = Method::lu;
  SavedSymbolic symbolic;
  NodeId schur_node = kNoNode;
};

template <class Fields>
void visit(Fields& fields, SentAnalysis& analysis) {
  fields(analysis.method, analysis.symbolic, analysis.schur_node);
}

}  // namespace

std::vector<std::byte> bytes_of(const Analysis& analysis) {
  const Symbolic& symbolic = *analysis.parts().symbolic;
  return encoded(SentAnalysis{analysis.method(), parts_of(symbolic), symbolic.tree().schur_node()});
}

Analysis analysis_of(std::span<const std::byte> bytes, const SolverOptions& options) {
  auto sent = decoded<SentAnalysis>(bytes);
  AnalysisParts parts;
  parts.symbolic = joined(std::move(sent.symbolic), sent.schur_node);
  parts.method = sent.method;
  parts.options = options;
  return Analysis(std::move(parts));
}

}  // namespace frond
