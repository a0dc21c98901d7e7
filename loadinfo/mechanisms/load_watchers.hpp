// SPDX-License-Identifier: BSD-3-Clause
// Holds which ranks need to know which ranks' loads.
#pragma once

#include <span>
#include <vector>

#include "loadinfo/mechanisms/load.hpp"

namespace frond {

/// Rank i watches rank j if it may ever choose j as a slave. Immutable.
class LoadWatchers {
 public:
  /// `watchers_of[j]`: increasing ranks, without j.
  explicit LoadWatchers(std::vector<std::vector<Rank>> watchers_of);

  [[nodiscard]] std::span<const Rank> of(Rank watched) const { return of_[watched]; }    ///< increasing
  [[nodiscard]] std::span<const Rank> watched_by(Rank rank) const { return by_[rank]; }  ///< increasing
  [[nodiscard]] bool watches(Rank rank, Rank other) const;

 private:
  std::vector<std::vector<Rank>> of_;
  std::vector<std::vector<Rank>> by_;
};

}  // namespace frond
