// SPDX-License-Identifier: BSD-3-Clause
// Determines which rank holds which pieces of saved fronts, and copies them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/distributed/root_layout.hpp"
#include "factorization/memory/memory_meter.hpp"
#include "factorization/memory/region_pool.hpp"
#include "solver/storage/saved/saved_fronts.hpp"

namespace frond {

/// A rank's part of a piece. For columns of the root on a grid each rank of the grid holds some entries; other pieces are held by
/// one rank.
struct HeldPiece {
  FrontPiece piece;
  Count num_entries = 0;  ///< held by this rank
};

/// The same with its place in a batch.
struct PlacedPiece {
  Rank rank = 0;
  HeldPiece held;
  Count begin = 0;  ///< of the whole piece's entries among those of the batch
};

/// How fronts are distributed; the same on all ranks.
struct FrontDistribution {
  Method method = Method::lu;
  std::vector<SavedFront> fronts;                  ///< [node]
  std::map<NodeId, std::vector<RowShare>> shares;  ///< of the row-distributed fronts
  std::optional<RootLayout> root;                  ///< of the root, if it is on a grid

  [[nodiscard]] bool is_on_grid(const Mapping& mapping, NodeId node) const { return root && mapping.root_grid().node == node; }

  /// Divides the pieces of a batch by the ranks that hold them.
  [[nodiscard]] std::vector<PlacedPiece> placed(const Mapping& mapping, std::span<const FrontPiece> batch) const;
  /// The same, rank after rank.
  [[nodiscard]] std::vector<PlacedPiece> placed_by_rank(const Mapping& mapping, std::span<const FrontPiece> batch) const;
};

/// The bytes of fronts held by a rank.
[[nodiscard]] Count held_bytes(const FrontDistribution& distribution, const Mapping& mapping, Rank rank, Count scalar_bytes);

/// Calls visit(rank, its pieces) for each rank that has any of the pieces, which are sorted by rank.
template <class Visit>
void for_each_rank(std::span<const PlacedPiece> placed, Visit visit) {
  while (!placed.empty()) {
    const Rank rank = placed.front().rank;
    const auto end = std::find_if(placed.begin(), placed.end(), [rank](const PlacedPiece& one) { return one.rank != rank; });
    const auto length = static_cast<std::size_t>(end - placed.begin());
    visit(rank, placed.first(length));
    placed = placed.subspan(length);
  }
}

/// Deals equal parts of a front's contribution rows to those candidates, except the master, that hold least so far, each `min_rows`
/// at least if there are as many. `held`, [rank], grows by what each gets.
[[nodiscard]] std::vector<RowShare> deal_rows(const SavedFront& front, std::span<const Rank> candidates, Rank master,
                                              Index min_rows, std::vector<Count>& held);

/// Distributes saved fronts by `mapping`. With the same number of ranks as before a front keeps its shares, so that solves give the
/// same bits; otherwise the candidates that hold least so far take equal parts, each `min_slave_rows` at least if there are as
/// many. The root goes to the grid if all its pivots are usable, and otherwise to its master as a whole. Deterministic.
template <Scalar F>
[[nodiscard]] FrontDistribution distribute(const FrontTable<F>& table, const AssemblyTree& tree, Method method,
                                           const Mapping& mapping, Rank num_ranks_before, Index min_slave_rows);

/// The shares of a table, by node.
template <Scalar F>
[[nodiscard]] std::map<NodeId, std::vector<RowShare>> shares_by_node(const FrontTable<F>& table);

/// Copies a piece of a rank's part of the factors to `entries` or, where those are const, from there.
template <Scalar F, class Entry>
void copy_held(const RankFactors<F>& factors, const Mapping& mapping, Method method, const HeldPiece& held, Entry* entries);

/// Copies a rank's part of a piece to its place in the batch or, where that is const, from there.
template <class Held, class Entry>
void copy_in_batch(const FrontDistribution& distribution, const Mapping& mapping, const PlacedPiece& placed, Held* held,
                   Entry* batch);

/// Allocates this rank's part of the factors, with their lists. `root` has no solver yet. Throws MemoryError.
template <Scalar F>
[[nodiscard]] RankFactors<F> place_factors(const FrontTable<F>& table, const FrontDistribution& distribution,
                                           const AssemblyTree& tree, const Mapping& mapping, Rank rank,
                                           std::shared_ptr<RegionPool> regions, MemoryMeter& meter);

}  // namespace frond
