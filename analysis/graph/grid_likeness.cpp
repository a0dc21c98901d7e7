// SPDX-License-Identifier: BSD-3-Clause
// Measures the length of a graph by breadth-first search from one of its ends (George & Liu 1979, "An implementation of a
// pseudoperipheral node finder").
#include "analysis/graph/grid_likeness.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

constexpr double kShortest = 0.8;           // length of a cube over the cube root of its vertices: 1 where diagonals are edges,
constexpr double kLongest = 3.3;            // 3 where they are not
constexpr double kMostNeighborsToMean = 4;  // of a vertex
constexpr double kWidestToMean = 8;         // level of a narrow graph; from its middle, levels are twice as wide

struct Levels {
  double number = 0;
  Index last = 0;  // a vertex of the last level
  bool reach_all = false;
};

// Stops after `most` levels, or a level of more than `widest` vertices.
Levels levels_from(const Graph& graph, Index start, double most, double widest) {
  std::vector<Index> reached = {start};
  reached.reserve(static_cast<std::size_t>(graph.num_vertices()));
  std::vector<bool> is_reached(graph.num_vertices(), false);
  is_reached[start] = true;
  Levels levels;
  for (std::size_t begin = 0; begin < reached.size() && levels.number < most; levels.number += 1) {
    const std::size_t end = reached.size();
    if (static_cast<double>(end - begin) > widest) break;
    for (; begin < end; ++begin) {
      for (const Index neighbor : graph.neighbors_of(reached[begin])) {
        if (!is_reached[neighbor]) {
          is_reached[neighbor] = true;
          reached.push_back(neighbor);
        }
      }
    }
  }
  levels.last = reached.back();
  levels.reach_all = reached.size() == is_reached.size();
  return levels;
}

// From a vertex that is far from another one; the same limits hold for the search that finds it.
Levels levels_from_end(const Graph& graph, double most, double widest) {
  const Levels there = levels_from(graph, 0, most, widest);
  return there.reach_all ? levels_from(graph, there.last, most, widest) : there;
}

bool has_even_degrees(const Graph& graph) {
  Index most = 0;
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) most = std::max(most, graph.degree(vertex));
  return most * static_cast<double>(graph.num_vertices()) <= kMostNeighborsToMean * static_cast<double>(graph.neighbors.size());
}

}  // namespace

bool is_like_cube(const Graph& graph) {
  if (graph.neighbors.empty() || !has_even_degrees(graph)) return false;
  const double edge = std::cbrt(graph.num_vertices());
  const Levels back = levels_from_end(graph, kLongest * edge, graph.num_vertices());
  return back.reach_all && back.number >= kShortest * edge;
}

bool is_narrow(const Graph& graph, double width) {
  const Levels levels = levels_from_end(graph, graph.num_vertices(), kWidestToMean * width);
  return levels.reach_all && levels.number * width >= graph.num_vertices();
}

}  // namespace frond
