// SPDX-License-Identifier: BSD-3-Clause
// Multilevel dissection: coarsen, separate the coarsest graph, refine on the way back.
#include "analysis/ordering/separator.hpp"

#include <algorithm>
#include <future>
#include <tuple>

namespace frond {
namespace {

constexpr Index kCoarsest = 100;               // vertices of the coarsest graph, about
constexpr Index kManyVertices = 5000;          // from which on several coarse separators are tried
constexpr int kLevelsBeforeTries = 4;          // of coarsening
constexpr std::size_t kTries = 3;              // on the graph that comes out of it
constexpr int kStarts = 4;                     // of growing, on the coarsest graph
constexpr double kWorthwhileCoarsening = 0.9;  // of the vertices left, at most

Index random_vertex(const LevelGraph& graph, Random& random) {
  return static_cast<Index>(random() % static_cast<std::uint64_t>(graph.num_vertices()));
}

// Grows the first side from a random vertex, level by level, to half of the weight; what it touches of the rest is the separator.
Separation grow(const LevelGraph& graph, Random& random) {
  const Index n = graph.num_vertices();
  Separation separation{std::vector<Side>(n, Side::second), {0, graph.total_weight, 0}};
  std::vector<Index> reached = {random_vertex(graph, random)};
  std::vector<bool> is_reached(n, false);
  is_reached[reached.front()] = true;
  Index next_unreached = 0;
  for (std::size_t k = 0; 2 * separation.weight(Side::first) < graph.total_weight; ++k) {
    if (k == reached.size()) {  // a part without edges to the others
      while (is_reached[next_unreached]) ++next_unreached;
      reached.push_back(next_unreached);
      is_reached[next_unreached] = true;
    }
    separation.put(graph, reached[k], Side::first);
    for (const Index neighbor : graph.neighbors_of(reached[k])) {
      if (!is_reached[neighbor]) {
        is_reached[neighbor] = true;
        reached.push_back(neighbor);
      }
    }
  }
  for (const Index vertex : reached) {
    const auto neighbors = graph.neighbors_of(vertex);
    if (separation.sides[vertex] == Side::second &&
        std::any_of(neighbors.begin(), neighbors.end(), [&](Index other) { return separation.sides[other] == Side::first; })) {
      separation.put(graph, vertex, Side::separator);
    }
  }
  return separation;
}

// Of a separator its weight, with what a side has too much; then balance.
std::tuple<Count, Count> cost(const LevelGraph& graph, const Separation& separation) {
  const Count largest = std::max(separation.weight(Side::first), separation.weight(Side::second));
  return {separation.weight(Side::separator) + std::max<Count>(largest - largest_side(graph), 0), largest};
}

Separation best_grown(const LevelGraph& graph, Random& random) {
  Separation best;
  for (int start = 0; start < kStarts; ++start) {
    Separation grown = grow(graph, random);
    refine(graph, grown);
    if (start == 0 || cost(graph, grown) < cost(graph, best)) best = std::move(grown);
  }
  return best;
}

Separation project(const LevelGraph& graph, const Separation& coarse, const std::vector<Index>& coarse_of) {
  Separation fine{std::vector<Side>(graph.num_vertices()), coarse.weights};
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) fine.sides[vertex] = coarse.sides[coarse_of[vertex]];
  refine(graph, fine);
  return fine;
}

Index coarsest_size(const LevelGraph& graph) { return std::clamp<Index>(graph.num_vertices() / 8, 40, kCoarsest); }

Count max_coarse_weight(const LevelGraph& graph, Index coarsest) { return 3 * graph.total_weight / (Count{2} * coarsest) + 1; }

Separation separate(const LevelGraph& graph, Index coarsest, Random& random) {
  if (graph.num_vertices() <= coarsest) return best_grown(graph, random);
  const Coarsening coarser = coarsen(graph, max_coarse_weight(graph, coarsest), random);
  if (coarser.graph.num_vertices() > kWorthwhileCoarsening * graph.num_vertices()) return best_grown(graph, random);
  return project(graph, separate(coarser.graph, coarsest, random), coarser.coarse_of);
}

// The best of several, each with random choices of its own.
Separation best_separated(const LevelGraph& graph, Random& random, int num_threads) {
  std::array<Random::result_type, kTries> seeds;
  for (auto& seed : seeds) seed = random();
  std::array<Separation, kTries> tried;
  const auto run = [&](std::size_t begin, std::size_t step) {
    for (std::size_t k = begin; k < kTries; k += step) {
      Random own(seeds[k]);
      tried[k] = separate(graph, coarsest_size(graph), own);
    }
  };
  const std::size_t num_runners = std::clamp<std::size_t>(static_cast<std::size_t>(num_threads), 1, kTries);
  std::vector<std::future<void>> others;
  for (std::size_t runner = 1; runner < num_runners; ++runner) others.push_back(std::async(run, runner, num_runners));
  run(0, num_runners);
  for (std::future<void>& other : others) other.get();
  return std::move(*std::min_element(tried.begin(), tried.end(),
                                     [&](const Separation& a, const Separation& b) { return cost(graph, a) < cost(graph, b); }));
}

Separation separate_after(int num_levels, const LevelGraph& graph, Random& random, int num_threads, const std::stop_token& stop) {
  if (stop.stop_requested()) return {std::vector<Side>(graph.num_vertices(), Side::separator), {0, 0, graph.total_weight}};
  if (num_levels > 0) {
    const Index coarsest = std::max(kCoarsest, graph.num_vertices() / 30);
    const Coarsening coarser = coarsen(graph, max_coarse_weight(graph, coarsest), random);
    if (coarser.graph.num_vertices() <= kWorthwhileCoarsening * graph.num_vertices()) {
      return project(graph, separate_after(num_levels - 1, coarser.graph, random, num_threads, stop), coarser.coarse_of);
    }
  }
  return best_separated(graph, random, num_threads);
}

}  // namespace

Separation find_separator(const LevelGraph& graph, Random& random, int num_threads, const std::stop_token& stop) {
  return graph.num_vertices() < kManyVertices ? separate(graph, coarsest_size(graph), random)
                                              : separate_after(kLevelsBeforeTries, graph, random, num_threads, stop);
}

}  // namespace frond
