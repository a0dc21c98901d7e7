// SPDX-License-Identifier: BSD-3-Clause
// Builds both directions of the relation.
#include "loadinfo/mechanisms/load_watchers.hpp"

#include <algorithm>
#include <utility>

namespace frond {

LoadWatchers::LoadWatchers(std::vector<std::vector<Rank>> watchers_of) : of_(std::move(watchers_of)), by_(of_.size()) {
  for (std::size_t watched = 0; watched < of_.size(); ++watched) {
    for (const Rank watcher : of_[watched]) {
      by_[watcher].push_back(static_cast<Rank>(watched));
    }
  }
}

bool LoadWatchers::watches(Rank rank, Rank other) const {
  const std::span<const Rank> watched = watched_by(rank);
  return std::binary_search(watched.begin(), watched.end(), other);
}

}  // namespace frond
