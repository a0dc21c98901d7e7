// SPDX-License-Identifier: BSD-3-Clause
// Matching (Karypis, Kumar 1998, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
// Comput. 20, section 3.1) and contraction.
#include "analysis/graph/level_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace frond {
namespace {

constexpr Index kAlone = -1;

// Returns all vertices in an order that is random, but keeps neighbours in memory together, sorted by the order of magnitude of the
// degree: vertices with few neighbours have the least choice.
std::vector<Index> visiting_order(const LevelGraph& graph, Random& random) {
  constexpr Count kBlock = 16;
  const Index n = graph.num_vertices();
  std::vector<Count> blocks((n + kBlock - 1) / kBlock);
  std::iota(blocks.begin(), blocks.end(), 0);
  std::shuffle(blocks.begin(), blocks.end(), random);

  const double mean_degree = static_cast<double>(graph.neighbors.size()) / std::max(n, 1);
  const auto num_classes = static_cast<std::size_t>(std::sqrt(4 * mean_degree + 1)) + 1;
  const auto degree_class = [&](Index vertex) {
    return std::min(static_cast<std::size_t>(std::sqrt(static_cast<double>(graph.degree(vertex)))), num_classes - 1);
  };
  std::vector<Index> next(num_classes + 1, 0);
  for (Index vertex = 0; vertex < n; ++vertex) ++next[degree_class(vertex) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Index> order(n);
  for (const Count block : blocks) {
    const auto end = static_cast<Index>(std::min<Count>(n, (block + 1) * kBlock));
    for (auto vertex = static_cast<Index>(block * kBlock); vertex < end; ++vertex) {
      order[next[degree_class(vertex)]++] = vertex;
    }
  }
  return order;
}

class Matching {
 public:
  Matching(const LevelGraph& graph, Count max_weight)
      : graph_(graph), max_weight_(max_weight), mate_(graph.num_vertices(), kAlone) {}

  void match_neighbors(std::span<const Index> order) {
    for (const Index vertex : order) {
      if (mate_[vertex] == kAlone) join(vertex, heaviest_neighbor(vertex));
    }
  }

  // Pairs vertices with few neighbours that have one of them in common.
  void match_over_one(std::span<const Index> order) {
    for (const Index center : order) {
      Index waiting = kAlone;
      for (const Index vertex : graph_.neighbors_of(center)) {
        if (mate_[vertex] != kAlone || graph_.degree(vertex) > kFewNeighbors) continue;
        if (waiting == kAlone) {
          waiting = vertex;
        } else if (may_join(waiting, vertex)) {
          join(waiting, vertex);
          waiting = kAlone;
        }
      }
    }
  }

  [[nodiscard]] Index num_alone() const { return static_cast<Index>(std::count(mate_.begin(), mate_.end(), kAlone)); }
  [[nodiscard]] const std::vector<Index>& mate() const { return mate_; }

 private:
  static constexpr Count kFewNeighbors = 64;

  [[nodiscard]] bool may_join(Index a, Index b) const { return Count{graph_.weights[a]} + graph_.weights[b] <= max_weight_; }

  [[nodiscard]] Index heaviest_neighbor(Index vertex) const {
    Index best = kAlone;
    Index best_weight = 0;
    for (Count e = graph_.offsets[vertex]; e < graph_.offsets[vertex + 1]; ++e) {
      const Index neighbor = graph_.neighbors[e];
      if (graph_.edge_weight(e) > best_weight && mate_[neighbor] == kAlone && may_join(vertex, neighbor)) {
        best = neighbor;
        best_weight = graph_.edge_weight(e);
        if (graph_.edge_weights.empty()) break;  // none is heavier
      }
    }
    return best;
  }

  void join(Index a, Index b) {
    if (b != kAlone) {
      mate_[a] = b;
      mate_[b] = a;
    }
  }

  const LevelGraph& graph_;
  Count max_weight_;
  std::vector<Index> mate_;
};

// Numbers the pairs and the single vertices by their first members.
std::vector<Index> number_pairs(const std::vector<Index>& mate, Index& num_coarse) {
  std::vector<Index> coarse_of(mate.size());
  num_coarse = 0;
  for (Index vertex = 0; vertex < static_cast<Index>(mate.size()); ++vertex) {
    coarse_of[vertex] = mate[vertex] != kAlone && mate[vertex] < vertex ? coarse_of[mate[vertex]] : num_coarse++;
  }
  return coarse_of;
}

// Edges beyond what fits are heavy enough.
Index saturated_sum(Index a, Index b) {
  return static_cast<Index>(std::min<Count>(Count{a} + b, std::numeric_limits<Index>::max()));
}

// Joins the lists of neighbours of each pair; edges that become parallel are added, those inside a pair vanish.
LevelGraph contract(const LevelGraph& graph, const std::vector<Index>& mate, const std::vector<Index>& coarse_of,
                    Index num_coarse) {
  LevelGraph coarse;
  coarse.total_weight = graph.total_weight;
  coarse.offsets.reserve(static_cast<std::size_t>(num_coarse) + 1);
  coarse.weights.reserve(num_coarse);
  coarse.neighbors.resize(graph.neighbors.size());
  coarse.edge_weights.resize(graph.neighbors.size());
  LargeVector<Index> place(num_coarse, 0);  // position of a neighbour in the current list, if it is there
  Count begin = 0;
  Index length = 0;
  const auto add_edges = [&](Index vertex, Index self) {
    Index* const neighbors = coarse.neighbors.data() + begin;
    Index* const weights = coarse.edge_weights.data() + begin;
    for (Count e = graph.offsets[vertex]; e < graph.offsets[vertex + 1]; ++e) {
      const Index neighbor = coarse_of[graph.neighbors[e]];
      if (neighbor == self) continue;
      Index& at = place[neighbor];
      if (at < length && neighbors[at] == neighbor) {
        weights[at] = saturated_sum(weights[at], graph.edge_weight(e));
      } else {
        at = length++;
        neighbors[at] = neighbor;
        weights[at] = graph.edge_weight(e);
      }
    }
  };
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    const Index other = mate[vertex];
    if (other != kAlone && other < vertex) continue;
    const Index self = static_cast<Index>(coarse.weights.size());
    length = 0;
    add_edges(vertex, self);
    if (other != kAlone) add_edges(other, self);
    coarse.weights.push_back(graph.weights[vertex] + (other != kAlone ? graph.weights[other] : 0));
    begin += length;
    coarse.offsets.push_back(begin);
  }
  coarse.neighbors.resize(static_cast<std::size_t>(begin));
  coarse.edge_weights.resize(static_cast<std::size_t>(begin));
  return coarse;
}

}  // namespace

LevelGraph induced_subgraph(const Graph& graph, std::span<const Index> vertices) {
  constexpr Index kAbsent = -1;
  std::vector<Index> number(graph.num_vertices(), kAbsent);
  for (std::size_t k = 0; k < vertices.size(); ++k) number[vertices[k]] = static_cast<Index>(k);
  LevelGraph part;
  part.offsets.reserve(vertices.size() + 1);
  part.weights.reserve(vertices.size());
  part.neighbors.reserve(graph.neighbors.size());
  for (const Index vertex : vertices) {
    for (const Index neighbor : graph.neighbors_of(vertex)) {
      if (number[neighbor] != kAbsent) part.neighbors.push_back(number[neighbor]);
    }
    part.offsets.push_back(static_cast<Count>(part.neighbors.size()));
    part.weights.push_back(graph.weights[vertex]);
    part.total_weight += graph.weights[vertex];
  }
  return part;
}

LevelGraph induced_subgraph(const LevelGraph& graph, std::span<const Index> number, Index num_vertices) {
  LevelGraph part;
  part.offsets.reserve(static_cast<std::size_t>(num_vertices) + 1);
  part.weights.reserve(num_vertices);
  const bool has_weights = !graph.edge_weights.empty();
  Count most_entries = 0;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) most_entries += number[vertex] < 0 ? 0 : graph.degree(vertex);
  part.neighbors.resize(static_cast<std::size_t>(most_entries));
  if (has_weights) part.edge_weights.resize(static_cast<std::size_t>(most_entries));
  Count end = 0;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    if (number[vertex] < 0) continue;
    for (Count e = graph.offsets[vertex]; e < graph.offsets[vertex + 1]; ++e) {
      const Index neighbor = number[graph.neighbors[e]];
      part.neighbors[end] = neighbor;
      if (has_weights) part.edge_weights[end] = graph.edge_weights[e];
      end += neighbor < 0 ? 0 : 1;
    }
    part.offsets.push_back(end);
    part.weights.push_back(graph.weights[vertex]);
    part.total_weight += graph.weights[vertex];
  }
  part.neighbors.resize(static_cast<std::size_t>(end));
  if (has_weights) part.edge_weights.resize(static_cast<std::size_t>(end));
  return part;
}

Coarsening coarsen(const LevelGraph& graph, Count max_weight, Random& random) {
  const std::vector<Index> order = visiting_order(graph, random);
  Matching matching(graph, max_weight);
  matching.match_neighbors(order);
  constexpr Index kManyAlone = 10;  // one vertex in this many
  if (matching.num_alone() > graph.num_vertices() / kManyAlone) matching.match_over_one(order);
  Index num_coarse = 0;
  Coarsening result;
  result.coarse_of = number_pairs(matching.mate(), num_coarse);
  result.graph = contract(graph, matching.mate(), result.coarse_of, num_coarse);
  return result;
}

}  // namespace frond
