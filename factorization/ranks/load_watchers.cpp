// SPDX-License-Identifier: BSD-3-Clause
// Finds the masters that watch each candidate.
#include "factorization/ranks/load_watchers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace frond {

LoadWatchers load_watchers(const Mapping& mapping) {
  std::vector<std::vector<Rank>> watchers_of(static_cast<std::size_t>(mapping.num_ranks()));
  for (const UpperNode& node : mapping.upper_nodes()) {
    if (node.type == NodeType::row_distributed) {
      for (const Rank rank : mapping.candidates(node.node)) {
        if (rank != node.master) {
          watchers_of[static_cast<std::size_t>(rank)].push_back(node.master);
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

}  // namespace frond
