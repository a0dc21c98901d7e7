// SPDX-License-Identifier: BSD-3-Clause
// Implements FrontNumerics for fronts that were finished beforehand.
#include <algorithm>
#include <complex>
#include <vector>

#include "factorization/distributed/held_parts.hpp"
#include "factorization/front_numerics.hpp"
#include "matrices/stop_request.hpp"

namespace frond {

template <Scalar S>
void FrontNumerics<S>::restore_stored_fronts() {
  for (NodeId node = 0; node < tree().num_nodes(); ++node) {
    if (!front_context().is_stored(node)) {
      continue;
    }
    stop_if(context_.observer);
    const StoredLayout layout = front_context().store->layout(node);
    const std::vector<Rank> slaves = ranks_of(layout.shares);
    FactorizationReport report;
    if (layout.master == front_context().rank) {
      const PivotCounts counts = fronts_.restore(node, layout);
      count_eliminated(node, layout.size, slaves.empty() ? FrontShape::whole : FrontShape::summed_rows, counts, report);
    }
    if (std::find(slaves.begin(), slaves.end(), front_context().rank) != slaves.end()) {
      report += slave_report(node, fronts_.restore_rows(node, layout));
    }
    take(report);
  }
}

template <Scalar S>
void FrontNumerics<S>::expect_stored_children(TaskId task) {
  const auto announce = [this](TaskId child) { return fronts_.announce(child); };
  if (const auto plan = plan_of_stored_children(graph(), task, announce)) {
    fronts_.expect(*plan, {task, PartRole::master});
  }
}

#define FROND_INSTANTIATE(S)                               \
  template void FrontNumerics<S>::restore_stored_fronts(); \
  template void FrontNumerics<S>::expect_stored_children(TaskId);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
