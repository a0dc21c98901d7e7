// SPDX-License-Identifier: BSD-3-Clause
// The choice of the ordering, by a model that depends on the graph alone.
#include "analysis/ordering.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "analysis/amd_ordering.hpp"
#include "analysis/metis_ordering.hpp"
#include "matrices/error.hpp"

namespace frond {
namespace {

constexpr Index kSmallGraph = 10000;                  // vertices; both orderings together take some 50 ms here
constexpr double kFewNeighbors = 10;                  // per variable; meshes in 3D and vector-valued problems have more
constexpr double kMetisSecondsPerVisit = 40e-9;       // per neighbour and level of dissection
constexpr double kExpectedSaving = 0.5;               // of the flops of AMD, by nested dissection, on large meshes
constexpr double kFactorizationFlopsPerSecond = 2e9;  // of small fronts, on one core

/// Calls an ordering library and adds the time it took to `seconds`.
template <class Order>
std::vector<Index> timed(double& seconds, Order order, const Graph& graph) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Index> perm = order(graph);
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return perm;
}

/// Time that METIS is expected to take on one core: every level of dissection visits every edge; the leaves have about 100
/// vertices.
double predicted_metis_seconds(const Graph& graph) {
  const double levels = std::max(1.0, std::log2(graph.num_vertices() / 100.0));
  return kMetisSecondsPerVisit * levels * static_cast<double>(graph.neighbors.size() + graph.weights.size());
}

bool metis_may_pay(const Graph& graph, const Elimination& by_amd) {
  return kExpectedSaving * by_amd.sum_squares / kFactorizationFlopsPerSecond > predicted_metis_seconds(graph);
}

void check_permutation(const std::vector<Index>& perm, Index order) {
  if (static_cast<Count>(perm.size()) != order) {
    throw UsageError(fmt::format("The given ordering has {} entries, the matrix has order {}.", perm.size(), order));
  }
  std::vector<bool> seen(order, false);
  for (Index k = 0; k < order; ++k) {
    if (perm[k] < 0 || perm[k] >= order) {
      throw UsageError(fmt::format("The given ordering is no permutation: entry {} is {}, outside 0..{}.", k, perm[k], order - 1));
    }
    if (seen[perm[k]]) {
      throw UsageError(
          fmt::format("The given ordering is no permutation: {} appears again at entry {} (entries count from 0).", perm[k], k));
    }
    seen[perm[k]] = true;
  }
}

void use_metis(OrderedGraph& ordered) {
  ordered.kind = OrderingKind::metis;
  ordered.elimination =
      eliminate(ordered.compressed.graph, timed(ordered.ordering_seconds, metis_ordering, ordered.compressed.graph));
}

void use_amd(OrderedGraph& ordered) {
  ordered.kind = OrderingKind::amd;
  ordered.elimination =
      eliminate(ordered.compressed.graph, timed(ordered.ordering_seconds, amd_ordering, ordered.compressed.graph));
}

void use_best(OrderedGraph& ordered) {
  const Graph& graph = ordered.compressed.graph;
  const bool small = graph.num_vertices() <= kSmallGraph;
  const bool few_neighbors = static_cast<double>(graph.neighbors.size()) <= kFewNeighbors * graph.num_vertices();
  if (!small && !few_neighbors) return use_metis(ordered);
  use_amd(ordered);
  if (!small && !metis_may_pay(graph, ordered.elimination)) return;
  Elimination by_amd = std::move(ordered.elimination);
  use_metis(ordered);
  if (by_amd.sum_squares <= ordered.elimination.sum_squares) {
    ordered.kind = OrderingKind::amd;
    ordered.elimination = std::move(by_amd);
  }
}

/// The order of the vertices as they are, up to a postorder.
void use_order(OrderedGraph& ordered, OrderingKind kind, std::vector<Index> perm) {
  ordered.kind = kind;
  ordered.elimination = eliminate(ordered.compressed.graph, std::move(perm));
}

}  // namespace

OrderedGraph order_graph(Graph graph, const OrderingOptions& options) {
  const Index order = graph.num_vertices();
  const bool is_chosen = options.kind == OrderingKind::natural || options.kind == OrderingKind::given;
  const bool has_edges = !graph.neighbors.empty();
  OrderedGraph ordered;
  ordered.compressed = options.compress && !is_chosen && has_edges ? compress(graph) : without_compression(std::move(graph));

  if (options.kind == OrderingKind::given) {
    check_permutation(options.perm, order);
    use_order(ordered, OrderingKind::given, options.perm);
  } else if (options.kind == OrderingKind::natural || !has_edges) {
    std::vector<Index> identity(order);
    std::iota(identity.begin(), identity.end(), 0);
    use_order(ordered, OrderingKind::natural, std::move(identity));
  } else if (options.kind == OrderingKind::metis) {
    use_metis(ordered);
  } else if (options.kind == OrderingKind::amd) {
    use_amd(ordered);
  } else {
    use_best(ordered);
  }
  return ordered;
}

}  // namespace frond
