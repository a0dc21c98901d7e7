// SPDX-License-Identifier: BSD-3-Clause
// Makes the marks of a tree.
#include "tools/program/records/run_picture.hpp"

#include <utility>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "solver/course/place_parts.hpp"

namespace frond {
namespace {

NodeId top_of(const Task& task) { return task.node_end - 1; }

TreeMarkKind kind_of(const Task& task) {
  if (task.is_subtree) {
    return TreeMarkKind::subtree;
  }
  switch (task.type) {
    case NodeType::sequential:
      return TreeMarkKind::type1;
    case NodeType::row_distributed:
      return TreeMarkKind::type2;
    case NodeType::grid_distributed:
      break;
  }
  return TreeMarkKind::type3;
}

}  // namespace

RankLog RankLog::shifted(double seconds) && {
  for (LoggedSpan& span : spans) {
    span.begin_seconds += seconds;
    span.end_seconds += seconds;
  }
  for (LoggedBytes& point : memory) {
    point.seconds += seconds;
  }
  return std::move(*this);
}

std::vector<TreeMark> tree_marks(const AssemblyTree& tree, const TaskGraph& graph) {
  std::vector<TreeMark> marks;
  marks.reserve(static_cast<std::size_t>(graph.num_tasks()));
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    const NodeId node = top_of(task);
    marks.push_back({node, task.parent == kNoTask ? -1 : top_of(graph.task(task.parent)), kind_of(task), task.rank,
                     static_cast<double>(tree.front_order(node)), static_cast<double>(tree.num_fully_summed(node)),
                     task.cost.flops});
  }
  return marks;
}

std::vector<TreeMark> tree_marks(const Analysis& analysis, Method method, Count scalar_bytes) {
  const AssemblyTree& tree = analysis.parts().symbolic->tree();
  const SolverOptions& options = analysis.options();
  const KeptFactors kept = options.factorization.kept;
  if (!analysis.parts().place.parts().is_distributed()) {
    return tree_marks(tree, TaskGraph(tree, method, scalar_bytes, kept));
  }
  const MappingOptions mapping = mapping_options(options.analysis.mapping, options.ranks.schedule);
  return tree_marks(tree, TaskGraph(tree, method, scalar_bytes, map_tree(tree, method, mapping), kept));
}

}  // namespace frond
