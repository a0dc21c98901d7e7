// SPDX-License-Identifier: BSD-3-Clause
// Writes spans and nodes with their names.
#include "tools/simulation/simulation_timeline.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/program/records/run_picture.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kNumTreeMarkKinds> kKindNames = {"subtree", "type1", "type2", "type3"};

}  // namespace

Json timeline_json(const SimulationResult& result, const TaskGraph& graph) {
  Json timeline = Json::array();
  for (const SimulatedRankCounts& rank : result.ranks) {
    Json spans = Json::array();
    for (const WorkSpan& span : rank.work) {
      const Task& task = graph.task(span.part.task);
      spans.push_back({span.begin_seconds, span.end_seconds, task.node_end - 1, to_string(work_role(task, span.part.role))});
    }
    timeline.push_back(std::move(spans));
  }
  return timeline;
}

Json tree_json(const AssemblyTree& tree, const TaskGraph& graph) {
  Json nodes = Json::array();
  for (const TreeMark& mark : tree_marks(tree, graph)) {
    nodes.push_back({{"node", mark.node},
                     {"parent", mark.parent},
                     {"kind", kKindNames[static_cast<std::size_t>(mark.kind)]},
                     {"master", mark.master},
                     {"order", static_cast<Index>(mark.order)},
                     {"fully_summed", static_cast<Index>(mark.num_fully_summed)},
                     {"flops", mark.flops}});
  }
  return nodes;
}

}  // namespace frond
