// SPDX-License-Identifier: BSD-3-Clause
// Multilevel dissection: coarsen, separate the coarsest graph, refine on the way back.
#include "analysis/ordering/separator.hpp"

#include <algorithm>
#include <future>
#include <tuple>

namespace frond {
namespace {

constexpr Index kCoarsest = 100;               // about this many vertices of the coarsest graph
constexpr Index kManyVertices = 5000;          // from which on several coarse separators are tried
constexpr int kLevelsBeforeTries = 2;          // of coarsening
constexpr std::size_t kTries = 3;              // on the graph that results
constexpr int kStarts = 4;                     // of growing, on the coarsest graph
constexpr double kWorthwhileCoarsening = 0.9;  // of the vertices left, at most

Index random_vertex(const LevelGraph& graph, Random& random) {
  return static_cast<Index>(random() % static_cast<std::uint64_t>(graph.num_vertices()));
}

// Grows the first side from a random vertex, level by level, to half of the weight; the vertices of the rest that it touches are
// the separator.
Separation grow(const LevelGraph& graph, Random& random) {
  const Index n = graph.num_vertices();
  Separation separation{std::vector<Side>(n, Side::second), {0, graph.total_weight, 0}};
  std::vector<Index> reached = {random_vertex(graph, random)};
  std::vector<bool> is_reached(n, false);
  is_reached[reached.front()] = true;
  Index next_unreached = 0;
  for (std::size_t k = 0; 2 * separation.weight(Side::first) < graph.total_weight; ++k) {
    if (k == reached.size()) {  // a component without edges to the others
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

// Cost of a separator: its weight, plus the excess of a side; then balance.
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

bool is_worthwhile(const LevelGraph& coarse, const LevelGraph& fine) {
  return coarse.num_vertices() <= kWorthwhileCoarsening * fine.num_vertices();
}

// Coarsens twice, without a refinement between: four vertices become one, and separators are as light as with more refinement.
Coarsening coarsen_twice(const LevelGraph& graph, Index coarsest, Random& random) {
  const Count max_weight = max_coarse_weight(graph, coarsest);
  Coarsening once = coarsen(graph, max_weight, random);
  if (once.graph.num_vertices() <= coarsest || !is_worthwhile(once.graph, graph)) return once;
  Coarsening twice = coarsen(once.graph, max_weight, random);
  if (!is_worthwhile(twice.graph, once.graph)) return once;
  std::transform(once.coarse_of.begin(), once.coarse_of.end(), once.coarse_of.begin(),
                 [&](Index vertex) { return twice.coarse_of[vertex]; });
  once.graph = std::move(twice.graph);
  return once;
}

Separation separate(const LevelGraph& graph, Index coarsest, Random& random) {
  if (graph.num_vertices() <= coarsest) return best_grown(graph, random);
  const Coarsening coarser = coarsen_twice(graph, coarsest, random);
  if (!is_worthwhile(coarser.graph, graph)) return best_grown(graph, random);
  return project(graph, separate(coarser.graph, coarsest, random), coarser.coarse_of);
}

// Returns the best of several separators, each with random choices of its own.
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

void drop_small_graphs(GraphHierarchy& hierarchy) {
  while (hierarchy.num_levels() > 1 && hierarchy.coarsest().num_vertices() < kCoarsest) hierarchy.drop_coarsest();
}

void add_coarser_graphs(GraphHierarchy& hierarchy, Random& random, const std::stop_token& stop) {
  for (int level = 0; level < kLevelsBeforeTries && !stop.stop_requested(); ++level) {
    const LevelGraph& graph = hierarchy.coarsest();
    Coarsening coarser = coarsen_twice(graph, std::max(kCoarsest, graph.num_vertices() / 30), random);
    if (!is_worthwhile(coarser.graph, graph)) return;
    hierarchy.add(std::move(coarser));
  }
}

}  // namespace

Separation find_separator(GraphHierarchy& hierarchy, Random& random, int num_threads, const std::stop_token& stop) {
  const LevelGraph& finest = hierarchy.finest();
  const bool is_small = finest.num_vertices() < kManyVertices;
  drop_small_graphs(hierarchy);
  if (!is_small && hierarchy.num_levels() == 1) add_coarser_graphs(hierarchy, random, stop);
  if (stop.stop_requested()) return {};
  const LevelGraph& coarsest = hierarchy.coarsest();
  Separation separation =
      is_small ? separate(coarsest, coarsest_size(coarsest), random) : best_separated(coarsest, random, num_threads);
  for (int level = hierarchy.num_levels() - 2; level >= 0 && !stop.stop_requested(); --level) {
    separation = project(hierarchy.graph(level), separation, hierarchy.coarse_of(level));
  }
  return separation;
}

}  // namespace frond
