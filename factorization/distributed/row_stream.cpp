// SPDX-License-Identifier: BSD-3-Clause
// Finds the overlaps of the row blocks of a child with those of its parent.
#include "factorization/distributed/row_stream.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace frond {
namespace {

// Contribution rows of the child that a part of the child holds or a part of the parent takes.
struct PartRows {
  Rank rank;
  PartRole role;
  Index begin;
  Index end;
};

std::vector<PartRows> source_rows(Rank master, const std::vector<RowShare>& shares, Index cb_order) {
  std::vector<PartRows> parts = {{master, PartRole::master, 0, shares.empty() ? cb_order : 0}};
  for (const RowShare& share : shares) {
    parts.push_back({share.rank, PartRole::slave, share.row_begin, share.row_end});
  }
  return parts;
}

std::vector<PartRows> target_rows(const AssemblyTree& tree, const TaskGraph& graph, const Task& parent, NodeId child,
                                  const RowMap& map) {
  const std::span<const Index> positions = tree.relative_indices(child);
  const auto num_rows = static_cast<Index>(positions.size());
  std::vector<PartRows> parts;
  if (parent.type == NodeType::grid_distributed) {
    for (const Rank rank : graph.root_grid().ranks) {
      parts.push_back({rank, PartRole::grid, 0, num_rows});
    }
    return parts;
  }
  const auto first_at = [&](Index position) {
    return static_cast<Index>(std::lower_bound(positions.begin(), positions.end(), position) - positions.begin());
  };
  const Index summed = tree.num_fully_summed(parent.node_begin);
  parts.push_back({map.master, PartRole::master, 0, map.shares.empty() ? num_rows : first_at(summed)});
  for (const RowShare& share : map.shares) {
    parts.push_back({share.rank, PartRole::slave, first_at(summed + share.row_begin), first_at(summed + share.row_end)});
  }
  return parts;
}

}  // namespace

std::vector<RowStream> row_streams(const AssemblyTree& tree, const TaskGraph& graph, TaskId child, Rank master,
                                   const std::vector<RowShare>& shares, const RowMap& map) {
  const Task& task = graph.task(child);
  const std::vector<NodeId> tops = task_tops(tree, task);
  std::vector<RowStream> streams;
  for (std::size_t top = 0; top < tops.size(); ++top) {
    const std::vector<PartRows> targets = target_rows(tree, graph, graph.task(task.parent), tops[top], map);
    for (const PartRows& source : source_rows(master, shares, tree.cb_order(tops[top]))) {
      for (const PartRows& target : targets) {
        RowStream stream{tops[top], {child, source.role}, {task.parent, target.role}, source.rank, target.rank};
        stream.num_delayed = map.num_delayed[top];
        stream.delayed_begin = map.delayed_begin[top];
        stream.num_delayed_in = map.num_delayed_in;
        stream.has_delayed_rows = source.role == PartRole::master && target.role != PartRole::slave && stream.num_delayed > 0;
        stream.row_begin = std::max(source.begin, target.begin);
        stream.row_end = std::max(stream.row_begin, std::min(source.end, target.end));
        if (stream.has_delayed_rows || stream.row_begin < stream.row_end) {
          streams.push_back(stream);
        }
      }
    }
  }
  return streams;
}

std::vector<SizedStream> streams_to_part(const AssemblyTree& tree, const TaskGraph& graph, const FrontPlan& plan, FrontPart part,
                                         Rank rank, const StreamBytes& bytes) {
  std::vector<SizedStream> streams;
  for_each_row_map(plan, [&](const ChildOutput& child, const RowMap& map) {
    if (is_in_place(graph, plan.master, child)) {
      return;
    }
    for (const RowStream& stream : row_streams(tree, graph, child.task, child.master, child.announcement.shares, map)) {
      if (stream.target == part && stream.to == rank) {
        streams.push_back({stream, bytes(stream)});
      }
    }
  });
  std::erase_if(streams, [](const SizedStream& sized) { return sized.num_bytes == 0; });
  return streams;
}

std::vector<SizedStream> streams_from_part(const AssemblyTree& tree, const TaskGraph& graph, FrontPart part, Rank rank,
                                           const std::vector<RowShare>& shares, const RowMap& map, const StreamBytes& bytes) {
  std::vector<SizedStream> streams;
  const Rank master = part.role == PartRole::master ? rank : graph.task(part.task).rank;
  for (const RowStream& stream : row_streams(tree, graph, part.task, master, shares, map)) {
    if (stream.source == part && stream.from == rank) {
      streams.push_back({stream, bytes(stream)});
    }
  }
  std::erase_if(streams, [](const SizedStream& sized) { return sized.num_bytes == 0; });
  return streams;
}

std::vector<NodeId> children_added_on_arrival(FrontPart part, const std::vector<SizedStream>& streams) {
  if (part.role == PartRole::master) {
    return {};
  }
  std::map<NodeId, Count> bytes;
  for (const SizedStream& sized : streams) {
    bytes[sized.stream.child] += sized.num_bytes;
  }
  std::vector<std::pair<Count, NodeId>> most;
  std::transform(bytes.begin(), bytes.end(), std::back_inserter(most),
                 [](const auto& child) { return std::pair(-child.second, child.first); });
  std::sort(most.begin(), most.end());
  most.resize(std::min<std::size_t>(most.size(), 2));
  std::vector<NodeId> children;
  std::transform(most.begin(), most.end(), std::back_inserter(children), [](const auto& child) { return child.second; });
  std::sort(children.begin(), children.end());
  return children;
}

Count waiting_bytes(const std::vector<SizedStream>& streams, const std::vector<NodeId>& children_added) {
  Count bytes = 0;
  for (const SizedStream& sized : streams) {
    const bool is_added = std::binary_search(children_added.begin(), children_added.end(), sized.stream.child);
    bytes += is_added ? 0 : sized.num_bytes;
  }
  return bytes;
}

Count stream_entries(const RowStream& stream, Index cb_order, Method method) {
  const Count delayed = stream.num_delayed;
  const Count rows = stream.row_end - stream.row_begin;
  if (method == Method::lu) {
    return (rows + (stream.has_delayed_rows ? delayed : 0)) * (delayed + cb_order);
  }
  const Count triangle = stream.has_delayed_rows ? delayed * (delayed + 1) / 2 : 0;
  return triangle + rows * delayed + rows * (stream.row_begin + 1) + rows * (rows - 1) / 2;
}

}  // namespace frond
