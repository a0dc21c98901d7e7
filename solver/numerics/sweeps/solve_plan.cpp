// SPDX-License-Identifier: BSD-3-Clause
// Divides the assembly tree into tasks of similar work.
#include "solver/numerics/sweeps/solve_plan.hpp"

#include <algorithm>
#include <numeric>

namespace frond {
namespace {

constexpr double kStepsWanted = 64;        // of equal work: enough to balance more threads than memory bandwidth can feed
constexpr double kSmallestStep = 1 << 16;  // entries of the factors that are worth a task

// Entries of the factors in the subtree of each node.
std::vector<double> subtree_work(const AssemblyTree& tree) {
  std::vector<double> work(static_cast<std::size_t>(tree.num_nodes()));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto k = static_cast<std::size_t>(node);
    work[k] += static_cast<double>(tree.num_fully_summed(node)) * tree.front_order(node);
    if (tree.parent(node) != kNoParent) {
      work[tree.parent(node)] += work[k];
    }
  }
  return work;
}

}  // namespace

SolvePlan::SolvePlan(const AssemblyTree& tree) {
  make_steps(tree);
  link_steps(tree);
  place_contributions(tree);
}

SolvePlan::SolvePlan(const AssemblyTree& tree, const TaskGraph& graph) {
  for (TaskId task = 0; task < graph.num_tasks(); ++task) {
    steps_.push_back({graph.task(task).node_begin, graph.task(task).node_end, kNoStep});
  }
  link_steps(tree);
  place_contributions(tree);
}

// Subtrees up to the size of a step are bundled with their neighbours; a node with a larger subtree is a step of its own.
void SolvePlan::make_steps(const AssemblyTree& tree) {
  const std::vector<double> work = subtree_work(tree);
  const auto work_of = [&work](NodeId node) { return work[node]; };
  const double total =
      std::accumulate(tree.roots().begin(), tree.roots().end(), 0.0, [&](double sum, NodeId root) { return sum + work_of(root); });
  const double limit = std::max(kSmallestStep, total / kStepsWanted);
  double bundled = 0;                // work of the last step, if it can still grow
  NodeId bundle_parent = kNoParent;  // parent of the bundled nodes
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const NodeId parent = tree.parent(node);
    if (work_of(node) > limit) {
      steps_.push_back({node, node + 1, kNoStep});
      bundled = limit;
    } else if (parent == kNoParent || work_of(parent) > limit) {
      const bool joins = !steps_.empty() && bundle_parent == parent && bundled + work_of(node) <= limit;
      if (joins) {
        steps_.back().end = node + 1;
      } else {
        steps_.push_back({tree.subtree_begin(node), node + 1, kNoStep});
      }
      bundled = work_of(node) + (joins ? bundled : 0);
      bundle_parent = parent;
    }
  }
}

// A step is identified by its last node, whose parent is the (single) node of the parent step.
void SolvePlan::link_steps(const AssemblyTree& tree) {
  const auto num_steps = static_cast<Index>(steps_.size());
  child_offsets_.assign(steps_.size() + 2, 0);
  for (SolveStep& step : steps_) {
    const NodeId parent = tree.parent(step.end - 1);
    if (parent != kNoParent) {
      const auto found =
          std::partition_point(steps_.begin(), steps_.end(), [parent](const SolveStep& s) { return s.end <= parent; });
      step.parent = static_cast<Index>(found - steps_.begin());
    }
    ++child_offsets_[static_cast<std::size_t>(step.parent) + 2];
  }
  std::partial_sum(child_offsets_.begin(), child_offsets_.end(), child_offsets_.begin());
  children_.resize(steps_.size());
  std::vector<std::size_t> next(child_offsets_.begin(), child_offsets_.end() - 1);
  for (Index s = 0; s < num_steps; ++s) {
    children_[next[static_cast<std::size_t>(steps_[s].parent) + 1]++] = s;
  }
}

std::span<const Index> SolvePlan::children(Index step) const {
  const std::size_t k = static_cast<std::size_t>(step) + 1;
  return std::span(children_).subspan(child_offsets_[k], child_offsets_[k + 1] - child_offsets_[k]);
}

void SolvePlan::place_contributions(const AssemblyTree& tree) {
  contribution_offsets_.resize(static_cast<std::size_t>(tree.num_nodes()));
  for (const SolveStep& step : steps_) {
    Count top = num_contribution_rows_;
    for (NodeId node = step.begin; node < step.end; ++node) {
      for (const NodeId child : tree.children(node)) {
        top -= child >= step.begin ? tree.cb_order(child) : 0;
      }
      contribution_offsets_[node] = top;
      top += tree.cb_order(node);
      num_contribution_rows_ = std::max(num_contribution_rows_, top);
    }
  }
}

}  // namespace frond
