// SPDX-License-Identifier: BSD-3-Clause
// Tops of tasks.
#include "factorization/contributions.hpp"

namespace frond {

std::vector<NodeId> task_tops(const AssemblyTree& tree, const Task& task) {
  std::vector<NodeId> tops;
  for (NodeId node = task.node_begin; node < task.node_end; ++node) {
    if (tree.parent(node) == kNoParent || tree.parent(node) >= task.node_end) {
      tops.push_back(node);
    }
  }
  return tops;
}

}  // namespace frond
