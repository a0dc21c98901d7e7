// SPDX-License-Identifier: BSD-3-Clause
// Buckets the entries of A by the variable at which they become active, and locates them in its front.
#include "analysis/tree/entry_map.hpp"

#include <algorithm>

namespace frond {
namespace {

/// offsets[v + 1] - offsets[v] = entries with min(row, column) = v in the new numbers.
std::vector<Count> count_entries(const PatternView& pattern, std::span<const Index> inverse_perm) {
  std::vector<Count> offsets(static_cast<std::size_t>(pattern.num_cols) + 1, 0);
  for (Index old_column = 0; old_column < pattern.num_cols; ++old_column) {
    for (Count e = pattern.column_offsets[old_column]; e < pattern.column_offsets[old_column + 1]; ++e) {
      ++offsets[std::min(inverse_perm[pattern.row_indices[e]], inverse_perm[old_column]) + 1];
    }
  }
  for (Index v = 0; v < pattern.num_cols; ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

/// Turns `partners` of the node's variables, row i >= v or ~(column j > v), into positions in the node's front. `place` is a
/// workspace.
void locate(const AssemblyTree& tree, NodeId node, const std::vector<Count>& offsets, std::vector<Index>& place,
            LargeVector<Index>& partners) {
  const Index begin = tree.variable_begin(node);
  const Index num_pivots = tree.num_fully_summed(node);
  const auto cb_rows = tree.cb_rows(node);
  for (Index k = 0; k < tree.cb_order(node); ++k) place[cb_rows[k]] = num_pivots + k;
  const auto position_of = [&](Index variable) { return variable < begin + num_pivots ? variable - begin : place[variable]; };
  for (Count e = offsets[begin]; e < offsets[begin + num_pivots]; ++e) {
    partners[e] = partners[e] >= 0 ? position_of(partners[e]) : ~position_of(~partners[e]);
  }
}

}  // namespace

EntryMap map_entries(const PatternView& pattern, std::span<const Index> inverse_perm, const AssemblyTree& tree,
                     std::span<const Count> given_sources) {
  std::vector<Count> offsets = count_entries(pattern, inverse_perm);
  LargeVector<Index> positions(pattern.row_indices.size());
  LargeVector<Count> sources(pattern.row_indices.size());
  std::vector<Count> next(offsets.begin(), offsets.end() - 1);
  // In the new order, in which neighbours are near each other: buckets are then filled while they are in cache.
  std::vector<Index> perm(inverse_perm.size());
  for (Index old_column = 0; old_column < pattern.num_cols; ++old_column) perm[inverse_perm[old_column]] = old_column;
  for (Index column = 0; column < pattern.num_cols; ++column) {
    const Index old_column = perm[column];
    for (Count e = pattern.column_offsets[old_column]; e < pattern.column_offsets[old_column + 1]; ++e) {
      const Index row = inverse_perm[pattern.row_indices[e]];
      const Count slot = next[std::min(row, column)]++;
      positions[slot] = row >= column ? row : ~column;
      sources[slot] = given_sources.empty() ? e : given_sources[e];
    }
  }
  std::vector<Index> place(pattern.num_cols);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) locate(tree, node, offsets, place, positions);
  return {std::move(offsets), std::move(positions), std::move(sources)};
}

Count EntryMap::memory_bytes() const {
  return static_cast<Count>((offsets_.size() + sources_.size()) * sizeof(Count) + positions_.size() * sizeof(Index));
}

}  // namespace frond
