// SPDX-License-Identifier: BSD-3-Clause
// The recursion orders the separator last and its two sides before it, at the same time where there are threads.
#include "analysis/ordering/nested_dissection.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "analysis/graph/graph_hierarchy.hpp"
#include "analysis/graph/vertex_classes.hpp"
#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/leaf_ordering.hpp"
#include "analysis/ordering/separator.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

constexpr Index kLeafVertices = 200;
constexpr Index kTaskVertices = 2000;  // of a part that is worth a thread
constexpr int kMostThreads = 64;       // that can help to separate one part

/// Vertices of the whole graph, and the graph between them with coarser ones.
struct Part {
  GraphHierarchy hierarchy;
  std::vector<Index> vertices;  // [vertex of graph] = its number in the whole graph

  [[nodiscard]] const LevelGraph& graph() const { return hierarchy.finest(); }
};

Part side_of(const Part& part, const Separation& separation, Side side) {
  constexpr Index kAbsent = -1;
  std::vector<Index> number(part.vertices.size(), kAbsent);
  Part result;
  for (std::size_t k = 0; k < number.size(); ++k) {
    if (separation.sides[k] == side) {
      number[k] = static_cast<Index>(result.vertices.size());
      result.vertices.push_back(part.vertices[k]);
    }
  }
  result.hierarchy = part.hierarchy.part(number, static_cast<Index>(result.vertices.size()));
  return result;
}

class Dissection {
 public:
  Dissection(const Graph& graph, SpareThreads& spare, std::stop_token stop, Observer* observer)
      : graph_(graph), spare_(spare), stop_(std::move(stop)), observer_(observer) {}

  /// Writes the order of the part's vertices, as many as `perm` has places.
  void run(Part part, std::span<Index> perm, Random::result_type seed) const {
    LeafOrdering leaf(graph_);
    run(std::move(part), perm, seed, leaf);
  }

 private:
  void run(Part part, std::span<Index> perm, Random::result_type seed, LeafOrdering& leaf) const {
    if (stop_.stop_requested()) return;
    stop_if(observer_);
    if (part.graph().num_vertices() <= kLeafVertices || part.graph().neighbors.empty()) return order_leaf(part, perm, leaf);
    Random random(seed);
    const Separation separation = separate(part.hierarchy, random);
    if (stop_.stop_requested()) return;
    Part first = side_of(part, separation, Side::first);
    Part second = side_of(part, separation, Side::second);
    if (first.vertices.empty() || second.vertices.empty()) return order_inseparable(part, perm);
    const std::span<Index> first_perm = perm.first(first.vertices.size());
    const std::span<Index> second_perm = perm.subspan(first.vertices.size(), second.vertices.size());
    Index* place = second_perm.data() + second_perm.size();
    for (std::size_t k = 0; k < part.vertices.size(); ++k) {
      if (separation.sides[k] == Side::separator) *place++ = part.vertices[k];
    }
    part = {};
    const auto first_seed = random();
    const auto second_seed = random();
    std::future<void> other;
    if (first.graph().num_vertices() >= kTaskVertices && spare_.take(1) == 1) {
      other = std::async([&, this] {
        const TakenThreads this_one = TakenThreads::one_of(spare_);
        run(std::move(first), first_perm, first_seed);
      });
    } else {
      run(std::move(first), first_perm, first_seed, leaf);
    }
    run(std::move(second), second_perm, second_seed, leaf);
    if (other.valid()) other.get();
  }

  [[nodiscard]] Separation separate(GraphHierarchy& hierarchy, Random& random) const {
    const TakenThreads others(spare_, hierarchy.finest().num_vertices() < kTaskVertices ? 0 : kMostThreads);
    return find_separator(hierarchy, random, others.number() + 1, stop_);
  }

  static void order_leaf(const Part& part, std::span<Index> perm, LeafOrdering& leaf) {
    std::copy(part.vertices.begin(), part.vertices.end(), perm.begin());
    if (!part.graph().neighbors.empty()) leaf.order(perm);
  }

  // A part as dense as this has no good separators.
  static void order_inseparable(const Part& part, std::span<Index> perm) {
    LevelGraph graph = part.graph();
    graph.weights.assign(part.vertices.size(), 1);
    const std::vector<Index> order = amd_ordering(graph);
    std::transform(order.begin(), order.end(), perm.begin(), [&](Index vertex) { return part.vertices[vertex]; });
  }

  const Graph& graph_;
  SpareThreads& spare_;
  std::stop_token stop_;
  Observer* observer_;  // may be null
};

}  // namespace

std::vector<Index> nested_dissection(const Graph& graph, int num_threads, Observer* observer) {
  SpareThreads spare(num_threads - 1);
  return nested_dissection(graph, spare, {}, observer);
}

std::vector<Index> nested_dissection(const Graph& graph, SpareThreads& spare, std::stop_token stop, Observer* observer) {
  VertexClasses classes = classify(graph);
  std::vector<Index> perm = classes.isolated;
  perm.resize(static_cast<std::size_t>(graph.num_vertices()));
  const std::span<Index> places(perm.data() + classes.isolated.size(), classes.connected.size());
  if (!places.empty()) {
    constexpr Random::result_type kSeed = 1;
    Part whole = {GraphHierarchy(induced_subgraph(graph, classes.connected)), std::move(classes.connected)};
    Dissection(graph, spare, std::move(stop), observer).run(std::move(whole), places, kSeed);
  }
  std::copy(classes.dense.begin(), classes.dense.end(), perm.end() - static_cast<std::ptrdiff_t>(classes.dense.size()));
  return perm;
}

}  // namespace frond
