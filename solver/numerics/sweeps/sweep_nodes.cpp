// SPDX-License-Identifier: BSD-3-Clause
// Follows paths to the roots.
#include "solver/numerics/sweeps/sweep_nodes.hpp"

#include <algorithm>
#include <utility>

namespace frond {

NodeId node_of(const AssemblyTree& tree, Index variable) {
  NodeId begin = 0;
  for (NodeId count = tree.num_nodes(); count > 0;) {
    const NodeId half = count / 2;
    const NodeId node = begin + half;
    if (tree.variable_begin(node) + tree.num_fully_summed(node) <= variable) {
      begin = node + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

std::vector<char> with_ancestors(const AssemblyTree& tree, std::vector<char> marked) {
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const NodeId parent = tree.parent(node);
    if (marked[node] != 0 && parent != kNoParent) {
      marked[parent] = 1;
    }
  }
  return marked;
}

SweepNodes::SweepNodes(const AssemblyTree& tree, const SolvePlan& plan, std::vector<char> marked)
    : nodes_(with_ancestors(tree, std::move(marked))), steps_(plan.steps().size()) {
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    const SolveStep& nodes = plan.steps()[step];
    steps_[step] = std::any_of(nodes_.begin() + nodes.begin, nodes_.begin() + nodes.end, [](char is_in) { return is_in != 0; });
  }
}

}  // namespace frond
