// SPDX-License-Identifier: BSD-3-Clause
// Spans and nodes, named.
#include "tools/simulation/simulation_timeline.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

NodeId top_of(const Task& task) { return task.node_end - 1; }

std::string_view role_of(const Task& task, PartRole role) {
  switch (role) {
    case PartRole::slave:
      return "slave";
    case PartRole::grid:
      return "grid";
    case PartRole::master:
      break;
  }
  if (task.is_subtree) {
    return "subtree";
  }
  return task.type == NodeType::sequential ? "sequential" : "master";
}

std::string_view kind_of(const Task& task) {
  if (task.is_subtree) {
    return "subtree";
  }
  switch (task.type) {
    case NodeType::sequential:
      return "type1";
    case NodeType::row_distributed:
      return "type2";
    case NodeType::grid_distributed:
      break;
  }
  return "type3";
}

}  // namespace

Json timeline_json(const SimulationResult& result, const TaskGraph& graph) {
  Json timeline = Json::array();
  for (const SimulatedRankCounts& rank : result.ranks) {
    Json spans = Json::array();
    for (const WorkSpan& span : rank.work) {
      const Task& task = graph.task(span.part.task);
      spans.push_back({span.begin_seconds, span.end_seconds, top_of(task), role_of(task, span.part.role)});
    }
    timeline.push_back(std::move(spans));
  }
  return timeline;
}

Json tree_json(const AssemblyTree& tree, const TaskGraph& graph) {
  Json nodes = Json::array();
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    const NodeId node = top_of(task);
    nodes.push_back({{"node", node},
                     {"parent", task.parent == kNoTask ? -1 : top_of(graph.task(task.parent))},
                     {"kind", kind_of(task)},
                     {"master", task.rank},
                     {"order", tree.front_order(node)},
                     {"fully_summed", tree.num_fully_summed(node)},
                     {"flops", task.cost.flops}});
  }
  return nodes;
}

}  // namespace frond
