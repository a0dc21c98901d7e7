// SPDX-License-Identifier: BSD-3-Clause
// Computes the predictions in the result of the analysis.
#include "analysis/symbolic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/pivots/pivot_order.hpp"
#include "analysis/tree/front_cost.hpp"

namespace frond {

Symbolic::Symbolic(Permutation permutation, std::vector<Index> row_of_column, AssemblyTree tree, EntryMap entries,
                   OrderingReport ordering, Symmetry symmetry, Index structural_rank, std::uint64_t pattern_hash,
                   double exact_sum_c, double exact_sum_c2, BlockTriangularForm blocks, SelectedEntries couplings)
    : permutation_(std::move(permutation)),
      row_of_column_(std::move(row_of_column)),
      matched_row_permutation_(make_permutation(permuted<Index>(row_of_column_, permutation_.perm))),
      tree_(std::move(tree)),
      entries_(std::move(entries)),
      ordering_(ordering),
      symmetry_(symmetry),
      structural_rank_(structural_rank),
      pattern_hash_(pattern_hash),
      exact_sum_c_(exact_sum_c),
      exact_sum_c2_(exact_sum_c2),
      blocks_(std::move(blocks)),
      couplings_(std::move(couplings)) {}

void Symbolic::set_origin(const VariableOrder& found) {
  ordering_.kind = found.kind;
  ordering_.matching = found.matching;
  ordering_.has_dear_delays = found.has_dear_delays;
  ordering_.num_compressed = found.num_compressed;
  ordering_.ordering_seconds = found.ordering_seconds;
  blocks_.num_blocks = found.num_blocks;
  blocks_.largest_block = found.largest_block;
}

FactorizationEstimate Symbolic::estimate(Method method) const {
  FactorizationEstimate result;
  FrontCost fronts;
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    fronts += elimination_cost(tree_.front_order(node), tree_.num_pivots(node), method);
    result.max_front_order = std::max(result.max_front_order, tree_.front_order(node));
  }
  const FrontCost exact = cost_of_columns(order() - schur_order(), exact_sum_c_, exact_sum_c2_, method);
  result.elimination_flops = exact.flops;
  result.front_flops = fronts.flops;
  result.exact_factor_entries = std::llround(exact.entries);
  result.factor_entries = std::llround(fronts.entries);
  return result;
}

std::span<const Index> Symbolic::schur_variables() const {
  const NodeId node = tree_.schur_node();
  if (node == kNoNode) return {};
  return std::span(permutation_.perm).subspan(tree_.variable_begin(node), tree_.num_fully_summed(node));
}

Count Symbolic::memory_bytes() const {
  const std::size_t permutation_bytes = (permutation_.perm.size() + permutation_.inverse_perm.size() + row_of_column_.size() +
                                         matched_row_permutation_.perm.size() + matched_row_permutation_.inverse_perm.size()) *
                                        sizeof(Index);
  return static_cast<Count>(sizeof(Symbolic) + permutation_bytes) + tree_.memory_bytes() + entries_.memory_bytes() +
         frond::memory_bytes(blocks_) + frond::memory_bytes(couplings_);
}

}  // namespace frond
