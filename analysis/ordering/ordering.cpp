// SPDX-License-Identifier: BSD-3-Clause
// Chooses the ordering by a model that depends on the graph alone.
#include "analysis/ordering/ordering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>
#include <stop_token>
#include <utility>

#include "analysis/graph/graph.hpp"
#include "analysis/graph/grid_likeness.hpp"
#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/metis_ordering.hpp"
#include "analysis/ordering/nested_dissection.hpp"
#include "analysis/ordering/sampled_orderings.hpp"
#include "frond/error.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

// The model behind `automatic`. Times were measured on one AVX-512 core for grids in 2D and 3D, circuits and saddle-point matrices
// of 10^4 to 10^6 vertices; dissection is predicted to a factor of two.
constexpr Index kSmallGraph = 10000;  // vertices up to which AMD is: both together take about 50 ms there
constexpr double kFewNeighbors = 10;  // per vertex; AMD is far worse on larger graphs that have more, and on cubes
constexpr double kDissectionSecondsPerVertex = 130e-9;   // and per level
constexpr double kDissectionSecondsPerNeighbor = 33e-9;  // and per level
constexpr double kDissectionLeafSize = 100;              // vertices of the parts that are not dissected further
constexpr double kExpectedSaving = 0.5;                  // of AMD's flops by nested dissection: 0 to 0.7 in 2D, 0.5 to 0.8 in 3D
constexpr double kFactorizationFlopsPerSecond = 10e9;    // on the fronts of such sparse problems
constexpr double kNarrowFlopsPerSecond = 1e9;            // on the small fronts of a chain

// AMD takes a third of the time of dissection. A sample of at most a twentieth of the graph shows whether AMD is worth trying.
constexpr Index kSampleVertices = 20000;
constexpr Index kWorthSampling = 20;     // samples
constexpr double kBeaten = 1.5;          // times the flops of dissection on the sample: the larger the graph, the farther behind
constexpr double kSampleExponent = 1.5;  // of the flops in the vertices on plane graphs, and in none that AMD loses on less

double predicted_dissection_seconds(const Graph& graph) {
  const double levels = std::max(1.0, std::log2(graph.num_vertices() / kDissectionLeafSize));
  return levels * (kDissectionSecondsPerVertex * graph.num_vertices() +
                   kDissectionSecondsPerNeighbor * static_cast<double>(graph.neighbors.size()));
}

bool is_small(const Graph& graph) { return graph.num_vertices() <= kSmallGraph; }

// True if elimination level by level, in fronts of two levels, takes less time than dissection, which then cannot pay.
bool is_cheap_by_levels(const Graph& graph, const OrderingOptions& options) {
  const double flops = kNarrowFlopsPerSecond * predicted_dissection_seconds(graph) / options.expected_factorizations;
  return is_narrow(graph, std::sqrt(flops / graph.num_vertices()) / 2);
}

bool amd_may_win(const Graph& graph, const OrderingOptions& options) {
  const bool has_few_neighbors = static_cast<double>(graph.neighbors.size()) <= kFewNeighbors * graph.num_vertices();
  return fits_amd(graph) && (is_small(graph) || (has_few_neighbors && !is_like_cube(graph)) || is_cheap_by_levels(graph, options));
}

bool is_worth_dissecting(const Graph& graph, double flops_by_amd, const OrderingOptions& options) {
  const double saving = options.expected_factorizations * kExpectedSaving * flops_by_amd / kFactorizationFlopsPerSecond;
  return saving > predicted_dissection_seconds(graph);
}

// True if a sample shows that AMD need not be tried.
bool is_amd_beaten(const Graph& graph, const OrderingOptions& options) {
  if (graph.num_vertices() / kWorthSampling < kSampleVertices) return false;
  const SampledOrderings sample = sample_orderings(graph, kSampleVertices, options.num_threads, options.observer);
  const double growth = std::pow(static_cast<double>(graph.num_vertices()) / kSampleVertices, kSampleExponent);
  return sample.by_amd > kBeaten * sample.by_dissection && is_worth_dissecting(graph, growth * sample.by_amd, options);
}

/// Orders a graph and adds the time it took to `seconds`.
template <class Order>
std::vector<Index> timed(double& seconds, Order order, const Graph& graph) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Index> perm = order(graph);
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return perm;
}

/// Replaces the ordering by the given order of the compressed graph's vertices.
void use_order(OrderedGraph& ordered, OrderingKind kind, std::vector<Index> perm) {
  ordered.kind = kind;
  ordered.elimination = eliminate(ordered.compressed.graph, std::move(perm));
}

void use_metis(OrderedGraph& ordered) {
  use_order(ordered, OrderingKind::metis, timed(ordered.ordering_seconds, metis_ordering, ordered.compressed.graph));
}

std::vector<Index> dissect(OrderedGraph& ordered, const OrderingOptions& options) {
  const auto order = [&](const Graph& graph) { return nested_dissection(graph, options.num_threads, options.observer); };
  return timed(ordered.ordering_seconds, order, ordered.compressed.graph);
}

void use_dissection(OrderedGraph& ordered, const OrderingOptions& options) {
  use_order(ordered, OrderingKind::dissection, dissect(ordered, options));
}

// `graph` is that of the variables or the compressed one.
void use_amd(OrderedGraph& ordered, const Graph& graph) {
  std::vector<Index> perm = timed(ordered.ordering_seconds, amd_ordering, graph);
  const bool is_compressed = &graph == &ordered.compressed.graph;
  use_order(ordered, OrderingKind::amd, is_compressed ? std::move(perm) : ordered.compressed.collapse(perm));
}

void use_natural(OrderedGraph& ordered) {
  std::vector<Index> identity(ordered.compressed.graph.num_vertices());
  std::iota(identity.begin(), identity.end(), 0);
  use_order(ordered, OrderingKind::natural, std::move(identity));
}

/// `ordered` holds AMD's order.
void use_better(OrderedGraph& ordered, std::vector<Index> by_dissection) {
  Elimination by_amd = std::move(ordered.elimination);
  use_order(ordered, OrderingKind::dissection, std::move(by_dissection));
  if (by_amd.sum_squares <= ordered.elimination.sum_squares) {
    ordered.kind = OrderingKind::amd;
    ordered.elimination = std::move(by_amd);
  }
}

/// Dissection runs in parallel with AMD on an idle thread, and is stopped when AMD's order shows that it need not finish.
void use_best_of_both(OrderedGraph& ordered, const Graph& graph, const OrderingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::stop_source stop;
  SpareThreads spare(options.num_threads - 2);
  std::future<void> amd = std::async([&] {
    const TakenThreads this_one = TakenThreads::one_of(spare);
    try {
      use_amd(ordered, graph);
    } catch (...) {
      stop.request_stop();
      throw;
    }
    if (!is_worth_dissecting(ordered.compressed.graph, ordered.elimination.sum_squares, options)) stop.request_stop();
  });
  std::vector<Index> by_dissection = nested_dissection(ordered.compressed.graph, spare, stop.get_token(), options.observer);
  amd.get();
  if (!stop.stop_requested()) use_better(ordered, std::move(by_dissection));
  ordered.ordering_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void use_best(OrderedGraph& ordered, const Graph& graph, const OrderingOptions& options) {
  if (graph.neighbors.empty()) return use_natural(ordered);
  if (!amd_may_win(graph, options) || is_amd_beaten(ordered.compressed.graph, options)) return use_dissection(ordered, options);
  if (options.num_threads > 1) return use_best_of_both(ordered, graph, options);
  use_amd(ordered, graph);
  if (!is_worth_dissecting(ordered.compressed.graph, ordered.elimination.sum_squares, options)) return;
  stop_if(options.observer);
  use_better(ordered, dissect(ordered, options));
}

CompressedGraph groups_to_order(const Graph& variables, const OrderingOptions& options, std::span<const Index> partners) {
  if (!partners.empty()) return gather_pairs(variables, partners);
  const bool is_chosen = options.kind == OrderingKind::natural || options.kind == OrderingKind::given;
  return options.compress && !is_chosen ? compress(variables) : without_compression(variables);
}

}  // namespace

OrderedGraph order_graph(const Graph& variables, const OrderingOptions& options, std::span<const Index> partners) {
  stop_if(options.observer);
  OrderedGraph ordered;
  ordered.compressed = groups_to_order(variables, options, partners);
  // AMD finds indistinguishable variables itself, but not pairs.
  const Graph& graph = partners.empty() ? variables : ordered.compressed.graph;
  switch (options.kind) {
    case OrderingKind::automatic:
      use_best(ordered, graph, options);
      break;
    case OrderingKind::dissection:
      use_dissection(ordered, options);
      break;
    case OrderingKind::metis:
      use_metis(ordered);
      break;
    case OrderingKind::amd:
      use_amd(ordered, graph);
      break;
    case OrderingKind::natural:
      use_natural(ordered);
      break;
    case OrderingKind::given:
      check_permutation(options.perm, graph.num_vertices(), "the given ordering");
      use_order(ordered, OrderingKind::given, options.perm);
      break;
  }
  if (!partners.empty()) count_exactly(ordered, variables);
  return ordered;
}

void count_exactly(OrderedGraph& ordered, const Graph& variables) {
  const Elimination exact = eliminate(variables, ordered.compressed.expand(ordered.elimination.perm), ordered.elimination.num_kept);
  ordered.elimination.sum_counts = exact.sum_counts;
  ordered.elimination.sum_squares = exact.sum_squares;
}

void check_permutation(std::span<const Index> perm, Index order, const char* name) {
  if (static_cast<Count>(perm.size()) != order) {
    throw UsageError(
        fmt::format("{} has {} entries, but the matrix has order {}; give every variable its place", name, perm.size(), order));
  }
  std::vector<bool> seen(order, false);
  for (Index k = 0; k < order; ++k) {
    if (perm[k] < 0 || perm[k] >= order) {
      throw UsageError(
          fmt::format("{} is no permutation: entry {} is {}, outside 0..{} (entries count from 0)", name, k, perm[k], order - 1));
    }
    if (seen[perm[k]]) {
      throw UsageError(fmt::format("{} is no permutation: {} appears again at entry {} (entries count from 0)", name, perm[k], k));
    }
    seen[perm[k]] = true;
  }
}

}  // namespace frond
