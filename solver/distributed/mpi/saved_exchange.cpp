// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 requests pieces or hands them out; the others reply until it sends stop.
#include "solver/distributed/mpi/saved_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <numeric>
#include <utility>

#include "factorization/root/root_solver.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/ranks/point_to_point.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {
namespace {

constexpr std::size_t kAlignment = 16;

std::size_t aligned(std::size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

// The table of one rank.
template <Scalar F>
struct OwnTable {
  FrontTable<F> table;                // of the nodes that it masters
  Index root_order = -1;              // of the root on a grid, if the rank is in the grid
  std::vector<Index> root_rows;       // LU: rows of the root that it holds, unless another rank reports them,
  std::vector<Index> exchanged_with;  // and what they were exchanged with
};

template <class Fields, Scalar F>
void visit(Fields& fields, OwnTable<F>& own) {
  fields(own.table, own.root_order, own.root_rows, own.exchanged_with);
}

template <Scalar F>
OwnTable<F> own_table(Rank rank, const AssemblyTree& tree, Method method, const Mapping& mapping, const RankFactors<F>& factors) {
  OwnTable<F> own;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    if (mapping.master(node) == rank) {
      own.table.append(factors.fronts[node], method);
    }
  }
  for (const auto& [node, shares] : factors.shares) {
    for (const RowShare& share : shares) {
      own.table.shares.push_back({node, share});
    }
  }
  if (factors.root) {
    const RootPart<F>& part = factors.root->part;
    own.root_order = part.layout.order();
    if (method == Method::lu && part.position.col == 0) {
      own.exchanged_with = factors.root->solver->exchanges();
      for (Index row = 0; row < part.layout.rows().local_size(part.position.row); ++row) {
        own.root_rows.push_back(part.layout.rows().global(part.position.row, row));
      }
    }
  }
  return own;
}

template <class T>
void move_some(const std::vector<T>& from, Count& begin, Count length, std::vector<T>& to) {
  to.insert(to.end(), from.begin() + begin, from.begin() + begin + length);
  begin += length;
}

// Merges the fronts of all ranks, in order.
template <Scalar F>
FrontTable<F> merged(const std::vector<OwnTable<F>>& tables, const Mapping& mapping) {
  struct Cursor {
    Count fronts = 0;
    Count rows = 0;
    Count cols = 0;
    Count pivots = 0;
    Count d = 0;
  };
  std::vector<Cursor> cursors(tables.size());
  FrontTable<F> whole;
  for (NodeId node = 0; node < mapping.num_nodes(); ++node) {
    const auto rank = static_cast<std::size_t>(mapping.master(node));
    const FrontTable<F>& from = tables[rank].table;
    Cursor& at = cursors[rank];
    const Count p = from.num_fully_summed.at(static_cast<std::size_t>(at.fronts));
    whole.num_fully_summed.push_back(static_cast<Index>(p));
    whole.num_eliminated.push_back(from.num_eliminated[at.fronts++]);
    move_some(from.row_variables, at.rows, p, whole.row_variables);
    move_some(from.col_variables, at.cols, from.col_variables.empty() ? 0 : p, whole.col_variables);
    move_some(from.pivots, at.pivots, from.pivots.empty() ? 0 : p, whole.pivots);
    move_some(from.d, at.d, from.d.empty() ? 0 : 2 * p, whole.d);
  }
  for (const OwnTable<F>& own : tables) {
    whole.shares.insert(whole.shares.end(), own.table.shares.begin(), own.table.shares.end());
  }
  std::stable_sort(whole.shares.begin(), whole.shares.end(),
                   [](const SavedShare& a, const SavedShare& b) { return a.node < b.node; });
  return whole;
}

// P B = M N: brings the rows of B, which are variables of columns of A, into the order of their pivots.
template <Scalar F>
void exchange_root_variables(const std::vector<OwnTable<F>>& tables, Index order, std::span<Index> col_variables) {
  std::vector<Index> exchanged_with(static_cast<std::size_t>(order));
  for (const OwnTable<F>& own : tables) {
    for (std::size_t i = 0; i < own.root_rows.size(); ++i) {
      exchanged_with[own.root_rows[i]] = own.exchanged_with[i];
    }
  }
  for (std::size_t k = 0; k < exchanged_with.size(); ++k) {
    std::swap(col_variables[k], col_variables[exchanged_with[k]]);
  }
}

template <Scalar F>
GatheredTable<F> joined_tables(const std::vector<OwnTable<F>>& tables, const AssemblyTree& tree, Method method,
                               const Mapping& mapping) {
  GatheredTable<F> gathered;
  gathered.table = merged(tables, mapping);
  FrontDistribution& distribution = gathered.distribution;
  distribution.method = method;
  distribution.fronts = front_sizes(gathered.table, tree);
  distribution.shares = shares_by_node(gathered.table);
  const RootGrid& grid = mapping.root_grid();
  for (const OwnTable<F>& own : tables) {
    if (own.root_order >= 0) {
      distribution.root.emplace(own.root_order, grid);
    }
  }
  if (distribution.root && method == Method::lu) {
    const SavedFront& root = distribution.fronts[grid.node];
    exchange_root_variables<F>(tables, root.order,
                               std::span(gathered.table.col_variables).subspan(static_cast<std::size_t>(root.lists_begin)));
  }
  return gathered;
}

}  // namespace

template <Scalar F>
GatheredTable<F> gather_table(const Communicator& ranks, const AssemblyTree& tree, Method method, const Mapping& mapping,
                              const RankFactors<F>& factors) {
  std::vector<std::byte> mine;
  agree(ranks, [&] { mine = encoded(own_table(ranks.rank(), tree, method, mapping, factors)); });
  const std::vector<Count> lengths = all_gather_values(ranks, static_cast<Count>(mine.size()));
  std::vector<std::byte> all;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      all.resize(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), Count{0})));
    }
  });
  gather(ranks, 0, mine, lengths, all);
  GatheredTable<F> gathered;
  agree(ranks, [&] {
    if (ranks.rank() != 0) {
      return;
    }
    std::vector<OwnTable<F>> tables;
    auto begin = all.begin();
    for (const Count length : lengths) {
      const std::vector<std::byte> of_rank(begin, begin + length);  // which aligns it
      tables.push_back(decoded<OwnTable<F>>(of_rank));
      begin += length;
    }
    gathered = joined_tables(tables, tree, method, mapping);
  });
  return gathered;
}

template <Scalar F>
EntryExchange<F>::EntryExchange(const Communicator& ranks, const Mapping& mapping, Method method, const RankFactors<F>& factors,
                                Count most_entries)
    : ranks_(ranks), mapping_(mapping), method_(method), factors_(factors) {
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&most_entries, 1)));
  agree(ranks,
        [&] { message_.resize(entries_begin(PieceSequence::kMostPieces) + static_cast<std::size_t>(most_entries) * sizeof(F)); });
}

template <Scalar F>
std::size_t EntryExchange<F>::entries_begin(std::size_t num_pieces) {
  return aligned(aligned(sizeof(Head)) + num_pieces * sizeof(HeldPiece));
}

template <Scalar F>
HeldPiece* EntryExchange<F>::pieces() {
  return reinterpret_cast<HeldPiece*>(message_.data() + aligned(sizeof(Head)));
}

template <Scalar F>
void EntryExchange<F>::run(const std::function<void()>& lead) {
  std::exception_ptr failure;
  if (ranks_.rank() != 0) {
    help();
  } else {
    try {
      lead();
    } catch (const CommunicationError&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    for (Rank rank = 1; rank < ranks_.num_ranks(); ++rank) {
      begin_message(Kind::stop, {});
      send(ranks_, rank, std::span<const std::byte>(message_).first(entries_begin(0)));
    }
  }
  throw_first_failure(ranks_, failure);
}

template <Scalar F>
void EntryExchange<F>::help() {
  for (;;) {
    (void)receive(ranks_, 0, message_);
    Head head;
    std::memcpy(&head, message_.data(), sizeof(head));
    if (head.kind == Kind::stop) {
      return;
    }
    const auto num_pieces = static_cast<std::size_t>(head.num_pieces);
    F* place = entries(num_pieces);
    for (const HeldPiece& held : std::span(pieces(), num_pieces)) {
      if (head.kind == Kind::collect) {
        copy_held(factors_, mapping_, method_, held, place);
      } else {
        copy_held(factors_, mapping_, method_, held, static_cast<const F*>(place));
      }
      place += held.num_entries;
    }
    if (head.kind == Kind::collect) {
      send(ranks_, 0, std::as_bytes(std::span(entries(num_pieces), place)));
    }
  }
}

// Writes the head and the pieces of a message.
template <Scalar F>
void EntryExchange<F>::begin_message(Kind kind, std::span<const PlacedPiece> placed) {
  const Head head{kind, static_cast<std::int32_t>(placed.size())};
  std::memcpy(message_.data(), &head, sizeof(head));
  std::transform(placed.begin(), placed.end(), pieces(), [](const PlacedPiece& one) { return one.held; });
}

// After the first request nothing may fail until the last reply: a rank whose reply is not received would wait for ever.
template <Scalar F>
void EntryExchange<F>::collect(const FrontDistribution& distribution, std::span<const FrontPiece> batch, std::span<F> whole) {
  const std::vector<PlacedPiece> placed = distribution.placed_by_rank(mapping_, batch);
  for_each_rank(placed, [&](Rank rank, std::span<const PlacedPiece> own) {
    if (rank != 0) {
      begin_message(Kind::collect, own);
      send(ranks_, rank, std::span<const std::byte>(message_).first(entries_begin(own.size())));
    }
  });
  for_each_rank(placed, [&](Rank rank, std::span<const PlacedPiece> own) {
    F* place = entries(0);
    if (rank != 0) {
      (void)receive(ranks_, rank, std::span(message_).subspan(entries_begin(0)));
    }
    for (const PlacedPiece& one : own) {
      if (rank == 0) {
        copy_held(factors_, mapping_, method_, one.held, place);
      }
      copy_in_batch(distribution, mapping_, one, place, whole.data());
      place += one.held.num_entries;
    }
  });
}

template <Scalar F>
void EntryExchange<F>::hand_out(const FrontDistribution& distribution, std::span<const FrontPiece> batch,
                                std::span<const F> whole) {
  const std::vector<PlacedPiece> placed = distribution.placed_by_rank(mapping_, batch);
  for_each_rank(placed, [&](Rank rank, std::span<const PlacedPiece> own) {
    begin_message(Kind::hand_out, own);
    F* place = entries(own.size());
    for (const PlacedPiece& one : own) {
      copy_in_batch(distribution, mapping_, one, place, whole.data());
      if (rank == 0) {
        copy_held(factors_, mapping_, method_, one.held, static_cast<const F*>(place));
      }
      place += one.held.num_entries;
    }
    if (rank != 0) {
      const std::byte* end = reinterpret_cast<const std::byte*>(place);
      send(ranks_, rank, std::span<const std::byte>(message_.data(), end));
    }
  });
}

#define FROND_INSTANTIATE(S)                                                                                                       \
  template GatheredTable<S> gather_table(const Communicator&, const AssemblyTree&, Method, const Mapping&, const RankFactors<S>&); \
  template class EntryExchange<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
