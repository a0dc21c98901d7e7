// SPDX-License-Identifier: BSD-3-Clause
// Converts tasks to loads, and finds the masters that watch each candidate.
#include "factorization/ranks/exchange_options.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace frond {

Load load_threshold(const TaskGraph& graph, double small_share) {
  std::vector<Load> loads;
  loads.reserve(static_cast<std::size_t>(graph.num_tasks()));
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    loads.push_back({graph.task(id).cost.flops, graph.task(id).output_bytes});
  }
  return default_threshold(loads, small_share);
}

LoadWatchers load_watchers(const Mapping& mapping) {
  std::vector<std::vector<Rank>> watchers_of(static_cast<std::size_t>(mapping.num_ranks()));
  for (const UpperNode& node : mapping.upper_nodes()) {
    if (node.type == NodeType::row_distributed) {
      for (const Rank rank : mapping.candidates(node.node)) {
        if (rank != node.master) {
          watchers_of[rank].push_back(node.master);
        }
      }
    }
  }
  for (std::vector<Rank>& watchers : watchers_of) {
    std::sort(watchers.begin(), watchers.end());
    watchers.erase(std::unique(watchers.begin(), watchers.end()), watchers.end());
  }
  return LoadWatchers(std::move(watchers_of));
}

LoadExchangeOptions exchange_options(LoadMechanism mechanism, const TaskGraph& graph, const Mapping& mapping) {
  LoadExchangeOptions options{.mechanism = mechanism, .threshold = load_threshold(graph)};
  if (mechanism == LoadMechanism::local_increments) {
    options.threshold = load_threshold(graph, kLocalSmallTaskShare);
    options.watchers = std::make_shared<const LoadWatchers>(load_watchers(mapping));
  }
  return options;
}

}  // namespace frond
