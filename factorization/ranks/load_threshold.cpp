// SPDX-License-Identifier: BSD-3-Clause
// Converts tasks to loads.
#include "factorization/ranks/load_threshold.hpp"

#include <vector>

namespace frond {

Load load_threshold(const TaskGraph& graph, double small_share) {
  std::vector<Load> loads;
  loads.reserve(static_cast<std::size_t>(graph.num_tasks()));
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    loads.push_back({graph.task(id).cost.flops, graph.task(id).output_bytes});
  }
  return default_threshold(loads, small_share);
}

}  // namespace frond
