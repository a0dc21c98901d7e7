// SPDX-License-Identifier: BSD-3-Clause
// Shifts the logs of all processes to the clock of the leading one, and makes the marks of a tree.
#include "tools/program/records/run_picture.hpp"

#include <span>
#include <utility>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "matrices/steady_clock.hpp"
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

std::vector<RankLog> gathered_logs(const Team& team, const WorkLog& log, double origin) {
  RankLog mine;
  team.agree([&] { mine = {log.spans(), log.memory()}; });
  (void)team.of_all(0);
  const double meeting = steady_seconds();
  mine = std::move(mine).shifted(-meeting);
  const std::vector<std::vector<LoggedSpan>> spans = gather_lists<LoggedSpan>(team, mine.spans);
  const std::vector<std::vector<LoggedBytes>> memory = gather_lists<LoggedBytes>(team, mine.memory);
  std::vector<RankLog> all;
  team.agree([&] {
    for (std::size_t rank = 0; rank < spans.size(); ++rank) {
      all.push_back(RankLog{spans[rank], memory[rank]}.shifted(meeting - origin));
    }
  });
  return all;
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
