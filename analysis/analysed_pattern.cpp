// SPDX-License-Identifier: BSD-3-Clause
// Converts places in fronts back to rows and columns.
#include "analysis/analysed_pattern.hpp"

#include <cstddef>
#include <vector>

namespace frond {

namespace {

// Adds the rows of the couplings, and their numbers to those of the columns.
void add_couplings(const SelectedEntries& couplings, OwnedPattern& pattern) {
  for (std::size_t e = 0; e < couplings.row_indices.size(); ++e) {
    pattern.row_indices[couplings.sources[e]] = couplings.row_indices[e];
  }
  for (std::size_t j = 0; j + 1 < couplings.column_offsets.size(); ++j) {
    pattern.column_offsets[j + 1] += couplings.column_offsets[j + 1] - couplings.column_offsets[j];
  }
}

}  // namespace

OwnedPattern analysed_pattern(const Symbolic& symbolic) {
  const AssemblyTree& tree = symbolic.tree();
  const EntryMap& entries = symbolic.entries();
  const std::vector<Index>& perm = symbolic.permutation().perm;
  const std::vector<Index>& row_perm = symbolic.row_perm();
  OwnedPattern pattern{symbolic.order(), symbolic.symmetry(), std::vector<Count>(perm.size() + 1, 0),
                       LargeVector<Index>(static_cast<std::size_t>(symbolic.num_entries()))};
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const Index begin = tree.variable_begin(node);
    const Index num_pivots = tree.num_fully_summed(node);
    const auto variable_at = [&](Index position) {
      return position < num_pivots ? begin + position : tree.cb_rows(node)[position - num_pivots];
    };
    for (Index v = begin; v < begin + num_pivots; ++v) {
      for (Count e = entries.entries_begin(v); e < entries.entries_begin(v + 1); ++e) {
        const Index position = entries.position(e);
        const Index row = position >= 0 ? variable_at(position) : v;
        const Index column = position >= 0 ? v : variable_at(~position);
        pattern.row_indices[entries.source(e)] = row_perm[row];
        ++pattern.column_offsets[static_cast<std::size_t>(perm[column]) + 1];
      }
    }
  }
  add_couplings(symbolic.couplings(), pattern);
  for (std::size_t j = 0; j + 1 < pattern.column_offsets.size(); ++j) {
    pattern.column_offsets[j + 1] += pattern.column_offsets[j];
  }
  return pattern;
}

}  // namespace frond
