// SPDX-License-Identifier: BSD-3-Clause
// Finds groups of vertices and the graph between them.
#include "analysis/graph/compress.hpp"

#include <cstdint>
#include <numeric>
#include <utility>

namespace frond {
namespace {

constexpr Index kNoGroup = -1;

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): spreads vertex numbers over 64 bits, so that sums of them rarely agree.
std::uint64_t spread(Index vertex) {
  std::uint64_t bits = static_cast<std::uint64_t>(vertex) + 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

/// The sum of the spread numbers of each closed neighbourhood.
std::vector<std::uint64_t> hash_neighborhoods(const Graph& graph) {
  std::vector<std::uint64_t> spreads(graph.num_vertices());
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) spreads[vertex] = spread(vertex);
  std::vector<std::uint64_t> hashes(graph.num_vertices());
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    std::uint64_t sum = spreads[vertex];
    for (const Index neighbor : graph.neighbors_of(vertex)) sum += spreads[neighbor];
    hashes[vertex] = sum;
  }
  return hashes;
}

/// True if the adjacent vertices a and b have the same closed neighbourhood.
bool indistinguishable(const Graph& graph, Index a, Index b) {
  const auto of_a = graph.neighbors_of(a);
  const auto of_b = graph.neighbors_of(b);
  if (of_a.size() != of_b.size()) return false;
  auto in_b = of_b.begin();
  for (const Index neighbor : of_a) {
    if (neighbor == b) continue;
    if (*in_b == a) ++in_b;
    if (*in_b != neighbor) return false;
    ++in_b;
  }
  return true;
}

/// group_of[v], groups numbered by their smallest member; returns the number of groups.
Index find_groups(const Graph& graph, std::vector<Index>& group_of) {
  const std::vector<std::uint64_t> hashes = hash_neighborhoods(graph);
  group_of.assign(graph.num_vertices(), kNoGroup);
  Index num_groups = 0;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    if (group_of[vertex] != kNoGroup) continue;
    group_of[vertex] = num_groups;
    for (const Index neighbor : graph.neighbors_of(vertex)) {
      if (hashes[neighbor] == hashes[vertex] && group_of[neighbor] == kNoGroup && indistinguishable(graph, vertex, neighbor)) {
        group_of[neighbor] = num_groups;
      }
    }
    ++num_groups;
  }
  return num_groups;
}

/// The graph between the groups. Indistinguishable members have the same neighbours: then only one of them is examined.
Graph quotient_graph(const Graph& graph, const std::vector<Index>& group_of, const Groups& groups, bool members_are_alike) {
  const Index num_groups = static_cast<Index>(groups.offsets.size()) - 1;
  Graph quotient;
  quotient.offsets.reserve(groups.offsets.size());
  std::vector<Index> seen_by(num_groups, kNoGroup);
  for (Index group = 0; group < num_groups; ++group) {
    quotient.weights.push_back(groups.size(group));
    seen_by[group] = group;
    for (const Index member : groups.of(group).first(members_are_alike ? 1 : groups.size(group))) {
      for (const Index neighbor : graph.neighbors_of(member)) {
        const Index neighbor_group = group_of[neighbor];
        if (seen_by[neighbor_group] == group) continue;
        seen_by[neighbor_group] = group;
        quotient.neighbors.push_back(neighbor_group);
      }
    }
    quotient.offsets.push_back(static_cast<Count>(quotient.neighbors.size()));
  }
  return quotient;
}

/// The groups with their members, from group_of[v].
CompressedGraph gather(const Graph& graph, const std::vector<Index>& group_of, Index num_groups, bool members_are_alike) {
  Groups groups = group_by(group_of, num_groups);
  Graph quotient = quotient_graph(graph, group_of, groups, members_are_alike);
  return {std::move(quotient), std::move(groups)};
}

}  // namespace

std::vector<Index> CompressedGraph::expand(std::span<const Index> group_perm) const {
  std::vector<Index> perm;
  perm.reserve(groups.members.size());
  for (const Index group : group_perm) {
    const auto members = groups.of(group);
    perm.insert(perm.end(), members.begin(), members.end());
  }
  return perm;
}

std::vector<Index> CompressedGraph::collapse(std::span<const Index> member_perm) const {
  const Index num_groups = graph.num_vertices();
  std::vector<Index> group_of(groups.members.size());
  for (Index group = 0; group < num_groups; ++group) {
    for (const Index member : groups.of(group)) group_of[member] = group;
  }
  std::vector<bool> seen(num_groups, false);
  std::vector<Index> group_perm;
  group_perm.reserve(num_groups);
  for (const Index member : member_perm) {
    if (!seen[group_of[member]]) group_perm.push_back(group_of[member]);
    seen[group_of[member]] = true;
  }
  return group_perm;
}

CompressedGraph compress(const Graph& graph) {
  std::vector<Index> group_of;
  const Index num_groups = find_groups(graph, group_of);
  return gather(graph, group_of, num_groups, true);
}

CompressedGraph gather_pairs(const Graph& graph, std::span<const Index> partners) {
  std::vector<Index> group_of(partners.size(), kNoGroup);
  Index num_groups = 0;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    if (group_of[vertex] == kNoGroup) {
      group_of[vertex] = num_groups;
      group_of[partners[vertex]] = num_groups;
      ++num_groups;
    }
  }
  return gather(graph, group_of, num_groups, false);
}

CompressedGraph without_compression(const Graph& graph) {
  std::vector<Index> group_of(graph.num_vertices());
  std::iota(group_of.begin(), group_of.end(), 0);
  return {graph, group_by(group_of, graph.num_vertices())};
}

}  // namespace frond
