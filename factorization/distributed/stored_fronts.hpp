// SPDX-License-Identifier: BSD-3-Clause
// Implements RankFronts for fronts that were finished before and are read from the store; included by rank_fronts.cpp only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "factorization/distributed/rank_fronts.hpp"
#include "matrices/large_vector.hpp"

namespace frond {

template <Scalar S>
PivotCounts RankFronts<S>::restore(NodeId node, const StoredLayout& layout) {
  NumericFront<S>& restored = front(node);
  restored.num_delayed_in = layout.size.num_delayed_in;
  restored.factor = take_front(node, restored.num_delayed_in, layout.shares.empty() ? FrontShape::whole : FrontShape::summed_rows);
  if (!layout.shares.empty()) {
    finished_shares_[node] = layout.shares;
  }
  return context_.store->read_factor(node, restored.factor);
}

template <Scalar S>
const SlaveRows<S>& RankFronts<S>::restore_rows(NodeId node, const StoredLayout& layout) {
  SlaveRows<S>& rows = finished_rows_[node];
  rows = empty_rows(layout.size, layout.shares);
  const Count bytes = rows.summed_entries() * static_cast<Count>(sizeof(S));
  rows.summed = reinterpret_cast<S*>(context_.storage.place_unplanned(bytes, context_.meter));
  context_.store->read_factor_rows(node, rows);
  return rows;
}

// Reads the streams to a part whose rows no rank sends.
template <Scalar S>
void RankFronts<S>::read_stored(FrontPart part, const std::vector<SizedStream>& streams) {
  for (const SizedStream& sized : streams) {
    if (context_.graph.task(sized.stream.source.task).is_stored) {
      read_stored(*find_part(part), sized);
    }
  }
}

template <Scalar S>
void RankFronts<S>::read_stored(Part& part, const SizedStream& sized) {
  const RowStream& stream = sized.stream;
  const StreamedChild& child = part.children.at(stream.child);
  const bool is_to_grid = stream.target.role == PartRole::grid;
  LargeVector<std::byte> rows;
  const auto read = [&](Count num_bytes) {
    rows.resize(static_cast<std::size_t>(num_bytes));
    context_.store->read_rows(stream, rows);
  };
  if (is_to_grid) {  // all rows, of which a rank of the grid takes a piece
    read(stream_entries(stream, context_.symbolic.tree().cb_order(stream.child), context_.method) * static_cast<Count>(sizeof(S)));
    const S* entries = reinterpret_cast<const S*>(rows.data());
    LargeVector<std::byte> piece(static_cast<std::size_t>(sized.num_bytes));
    root_piece(stream).pack([entries](Count k) { return entries + k; }, 0, sized.num_bytes / static_cast<Count>(sizeof(S)),
                            reinterpret_cast<S*>(piece.data()));
    rows = std::move(piece);
  } else if (child.is_added_on_arrival) {
    read(sized.num_bytes);
  }
  if (child.is_added_on_arrival) {
    add_arrived(part, stream, 0, rows);
    return;
  }
  for (const Incoming& incoming : child.incoming) {
    if (incoming.stream.source == stream.source && incoming.stream.from == stream.from) {
      const std::span<std::byte> memory(incoming.memory.data, static_cast<std::size_t>(sized.num_bytes));
      if (is_to_grid) {
        std::copy(rows.begin(), rows.end(), memory.begin());
      } else {
        context_.store->read_rows(stream, memory);
      }
    }
  }
}

}  // namespace frond
