// SPDX-License-Identifier: BSD-3-Clause
// Splits pieces where another rank begins; the root's columns by its blocks.
#include "solver/storage/saved/saved_parts.hpp"

#include <utility>

#include "factorization/memory/factor_storage.hpp"
#include "matrices/position.hpp"

namespace frond {
namespace {

// Calls visit(place in the part, place in the piece, length) for all entries of columns of the root that a position of the grid
// holds, column by column, in runs that are contiguous in both.
template <class Visit>
void for_each_run(const RootLayout& layout, GridPosition position, Method method, const FrontPiece& piece, Visit visit) {
  const Index n = layout.order();
  const Index block = layout.block_size();
  Count column_begin = 0;  // of rows from `first` on
  for (Index k = piece.begin; k < piece.end; ++k) {
    const Index first = is_symmetric(method) ? k : 0;
    for (Index begin = first; begin < n; begin = (begin / block + 1) * block) {
      const Index end = std::min(n, (begin / block + 1) * block);
      if (layout.owner(begin, k) == position) {
        visit(layout.offset(begin, k), column_begin + begin - first, end - begin);
      }
    }
    column_begin += n - first;
  }
}

Count num_held(const RootLayout& layout, GridPosition position, Method method, const FrontPiece& piece) {
  Count entries = 0;
  for_each_run(layout, position, method, piece, [&entries](Count, Count, Index length) { entries += length; });
  return entries;
}

// The number of entries that each rank holds as a master.
std::vector<Count> entries_of_masters(const FrontDistribution& distribution, const Mapping& mapping) {
  std::vector<Count> held(static_cast<std::size_t>(mapping.num_ranks()), 0);
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const SavedFront& front = distribution.fronts[at(node)];
    const bool is_whole = mapping.type(node) != NodeType::row_distributed;
    held[mapping.master(node)] += static_cast<Count>(is_whole ? front.order : front.num_fully_summed) * front.num_eliminated;
  }
  return held;
}

template <Scalar F>
bool has_all_pivots(const FrontTable<F>& table, const SavedFront& front) {
  const auto begin = table.pivots.begin() + (table.pivots.empty() ? 0 : front.lists_begin);
  const auto end = table.pivots.empty() ? begin : begin + front.num_fully_summed;
  return front.num_eliminated == front.order && std::find(begin, end, PivotKind::null) == end;
}

FrontShape shape_of(const FrontDistribution& distribution, const Mapping& mapping, NodeId node, Rank rank) {
  if (mapping.master(node) != rank) {
    return FrontShape::none;
  }
  if (distribution.is_on_grid(mapping, node)) {
    return FrontShape::variables;
  }
  return distribution.shares.contains(node) ? FrontShape::summed_rows : FrontShape::whole;
}

}  // namespace

std::vector<RowShare> deal_rows(const SavedFront& front, std::span<const Rank> candidates, Rank master, Index min_rows,
                                std::vector<Count>& held) {
  std::vector<Rank> slaves;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(slaves), [master](Rank rank) { return rank != master; });
  std::stable_sort(slaves.begin(), slaves.end(), [&held](Rank a, Rank b) { return held[a] < held[b]; });
  const Count num_rows = front.cb_order();
  const Count most = std::clamp<Count>(num_rows / std::max(min_rows, Index{1}), 1, num_rows);
  slaves.resize(std::min(slaves.size(), static_cast<std::size_t>(most)));
  std::vector<RowShare> shares;
  const auto num_shares = static_cast<Count>(slaves.size());
  for (Count i = 0; i < num_shares; ++i) {
    shares.push_back(
        {slaves[i], static_cast<Index>(num_rows * i / num_shares), static_cast<Index>(num_rows * (i + 1) / num_shares)});
    held[shares.back().rank] += static_cast<Count>(shares.back().row_end - shares.back().row_begin) * front.num_eliminated;
  }
  return shares;
}

std::vector<PlacedPiece> FrontDistribution::placed(const Mapping& mapping, std::span<const FrontPiece> batch) const {
  std::vector<PlacedPiece> result;
  Count begin = 0;
  for (const FrontPiece& piece : batch) {
    const SavedFront& front = fronts[at(piece.node)];
    const auto shared = shares.find(piece.node);
    if (is_on_grid(mapping, piece.node)) {
      for (const Rank rank : mapping.root_grid().ranks) {
        result.push_back({rank, {piece, num_held(*root, position_on(mapping.root_grid(), *root, rank), method, piece)}, begin});
      }
    } else if (piece.kind == PieceKind::rows && shared != shares.end()) {
      for (const RowShare& share : shared->second) {
        const FrontPiece part{piece.node, piece.kind, std::max(piece.begin, share.row_begin), std::min(piece.end, share.row_end)};
        if (part.begin < part.end) {
          const Count before = static_cast<Count>(part.begin - piece.begin) * front.num_eliminated;
          result.push_back({share.rank, {part, num_entries(part, front, method)}, begin + before});
        }
      }
    } else {
      result.push_back({mapping.master(piece.node), {piece, num_entries(piece, front, method)}, begin});
    }
    begin += num_entries(piece, front, method);
  }
  return result;
}

std::vector<PlacedPiece> FrontDistribution::placed_by_rank(const Mapping& mapping, std::span<const FrontPiece> batch) const {
  std::vector<PlacedPiece> pieces = placed(mapping, batch);
  std::stable_sort(pieces.begin(), pieces.end(), [](const PlacedPiece& a, const PlacedPiece& b) { return a.rank < b.rank; });
  return pieces;
}

Count held_bytes(const FrontDistribution& distribution, const Mapping& mapping, Rank rank, Count scalar_bytes) {
  Count bytes = 0;
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const SavedFront& front = distribution.fronts[at(node)];
    if (const FrontShape shape = shape_of(distribution, mapping, node, rank); shape != FrontShape::none) {
      bytes += front_bytes(front.order, front.num_fully_summed, distribution.method, scalar_bytes, shape);
    }
  }
  for (const auto& [node, shares] : distribution.shares) {
    for (const RowShare& share : shares) {
      const Count num_rows = share.rank == rank ? share.row_end - share.row_begin : 0;
      bytes += num_rows * distribution.fronts[at(node)].num_fully_summed * scalar_bytes;
    }
  }
  const std::vector<Rank>& grid = mapping.root_grid().ranks;
  if (distribution.root && std::binary_search(grid.begin(), grid.end(), rank)) {
    bytes += distribution.root->num_entries(position_on(mapping.root_grid(), *distribution.root, rank)) * scalar_bytes;
  }
  return bytes;
}

template <Scalar F>
std::map<NodeId, std::vector<RowShare>> shares_by_node(const FrontTable<F>& table) {
  std::map<NodeId, std::vector<RowShare>> shares;
  for (const SavedShare& one : table.shares) {
    shares[one.node].push_back(one.share);
  }
  return shares;
}

template <Scalar F>
FrontDistribution distribute(const FrontTable<F>& table, const AssemblyTree& tree, Method method, const Mapping& mapping,
                             Rank num_ranks_before, Index min_slave_rows) {
  FrontDistribution distribution{method, front_sizes(table, tree), {}, {}};
  std::map<NodeId, std::vector<RowShare>> before;
  const auto is_rank = [&mapping](const SavedShare& one) { return one.share.rank < mapping.num_ranks(); };
  if (num_ranks_before == mapping.num_ranks() && std::all_of(table.shares.begin(), table.shares.end(), is_rank)) {
    before = shares_by_node(table);
  }
  std::vector<Count> held = entries_of_masters(distribution, mapping);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const SavedFront& front = distribution.fronts[at(node)];
    if (mapping.type(node) == NodeType::row_distributed && before.contains(node)) {
      distribution.shares[node] = before.at(node);
    } else if (mapping.type(node) == NodeType::row_distributed && front.cb_order() > 0) {
      distribution.shares[node] = deal_rows(front, mapping.candidates(node), mapping.master(node), min_slave_rows, held);
    } else if (mapping.type(node) == NodeType::grid_distributed && has_all_pivots(table, front)) {
      distribution.root.emplace(front.order, mapping.root_grid());
    }
  }
  return distribution;
}

template <Scalar F, class Entry>
void copy_held(const RankFactors<F>& factors, const Mapping& mapping, Method method, const HeldPiece& held, Entry* entries) {
  const FrontPiece& piece = held.piece;
  if (factors.root && mapping.root_grid().node == piece.node) {
    const RootPart<F>& part = factors.root->part;
    for_each_run(part.layout, part.position, method, piece, [&](Count place, Count /*in_piece*/, Index length) {
      entries = copy_entries(part.entries + place, length, entries);
    });
  } else if (piece.kind == PieceKind::rows && factors.rows.contains(piece.node)) {
    copy_piece(factors.rows.at(piece.node), piece, entries);
  } else {
    copy_piece(factors.fronts[at(piece.node)], method, piece, entries);
  }
}

template <class Held, class Entry>
void copy_in_batch(const FrontDistribution& distribution, const Mapping& mapping, const PlacedPiece& placed, Held* held,
                   Entry* batch) {
  batch += placed.begin;
  if (!distribution.is_on_grid(mapping, placed.held.piece.node)) {
    copy_entries(held, placed.held.num_entries, batch);
    return;
  }
  const RootLayout& layout = *distribution.root;
  for_each_run(layout, position_on(mapping.root_grid(), layout, placed.rank), distribution.method, placed.held.piece,
               [&](Count /*place*/, Count in_piece, Index length) {
                 copy_entries(held, length, batch + in_piece);
                 held += length;
               });
}

template <Scalar F>
RankFactors<F> place_factors(const FrontTable<F>& table, const FrontDistribution& distribution, const AssemblyTree& tree,
                             const Mapping& mapping, Rank rank, std::shared_ptr<RegionPool> regions, MemoryMeter& meter) {
  const Method method = distribution.method;
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(F));
  RankFactors<F> factors;
  factors.storage = std::make_shared<FactorStorage>(tree, method, kScalarBytes, std::move(regions),
                                                    [&](NodeId node) { return shape_of(distribution, mapping, node, rank); });
  const auto take = [&](Count num_entries) {
    return reinterpret_cast<F*>(factors.storage->place_unplanned(num_entries * kScalarBytes, meter));
  };
  factors.fronts.resize(at(tree.num_nodes()));
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const SavedFront& saved = distribution.fronts[at(node)];
    if (const FrontShape shape = shape_of(distribution, mapping, node, rank); shape != FrontShape::none) {
      const Index num_delayed_in = saved.num_fully_summed - tree.num_fully_summed(node);
      factors.fronts[at(node)] = factors.storage->template place<F>(tree, node, num_delayed_in, method, meter, shape);
      fill_lists(table, saved, method, factors.fronts[at(node)]);
    }
  }
  for (const auto& [node, shares] : distribution.shares) {
    const SavedFront& saved = distribution.fronts[at(node)];
    if (mapping.master(node) == rank) {
      factors.shares[node] = shares;
    }
    for (const RowShare& share : shares) {
      if (const Index num_rows = share.row_end - share.row_begin; share.rank == rank) {
        F* rows = take(static_cast<Count>(num_rows) * saved.num_fully_summed);
        factors.rows[node] = {share.row_begin, saved.num_eliminated, {rows, num_rows, saved.num_fully_summed, num_rows}};
      }
    }
  }
  const std::vector<Rank>& grid = mapping.root_grid().ranks;
  if (distribution.root && std::binary_search(grid.begin(), grid.end(), rank)) {
    const GridPosition position = position_on(mapping.root_grid(), *distribution.root, rank);
    factors.root.emplace();
    factors.root->part = {*distribution.root, position, take(distribution.root->num_entries(position))};
  }
  return factors;
}

#define FROND_INSTANTIATE(S)                                                                                                       \
  template std::map<NodeId, std::vector<RowShare>> shares_by_node(const FrontTable<S>&);                                           \
  template FrontDistribution distribute(const FrontTable<S>&, const AssemblyTree&, Method, const Mapping&, Rank, Index);           \
  template void copy_held(const RankFactors<S>&, const Mapping&, Method, const HeldPiece&, S*);                                    \
  template void copy_held(const RankFactors<S>&, const Mapping&, Method, const HeldPiece&, const S*);                              \
  template void copy_in_batch(const FrontDistribution&, const Mapping&, const PlacedPiece&, S*, S*);                               \
  template void copy_in_batch(const FrontDistribution&, const Mapping&, const PlacedPiece&, S*, const S*);                         \
  template RankFactors<S> place_factors(const FrontTable<S>&, const FrontDistribution&, const AssemblyTree&, const Mapping&, Rank, \
                                        std::shared_ptr<RegionPool>, MemoryMeter&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
