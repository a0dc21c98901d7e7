// SPDX-License-Identifier: BSD-3-Clause
// Decomposes an analysis and reconstructs it.
#include "solver/storage/saved/saved_system.hpp"

#include <utility>

#include "matrices/checksum.hpp"
#include "solver/storage/saved/check_saved.hpp"

namespace frond {

std::string to_string(SavedScalar scalar) {
  const bool is_complex = scalar == SavedScalar::complex_single || scalar == SavedScalar::complex_double;
  const bool is_single = scalar == SavedScalar::real_single || scalar == SavedScalar::complex_single;
  return std::string(is_complex ? "complex" : "real") + " numbers in " + (is_single ? "single" : "double") + " precision";
}

SavedSymbolic parts_of(const Symbolic& symbolic) {
  const AssemblyTree& tree = symbolic.tree();
  const EntryMap& entries = symbolic.entries();
  SavedSymbolic parts;
  parts.perm = symbolic.permutation().perm;
  parts.row_of_column = symbolic.row_of_column();
  parts.variable_offsets = {0};
  parts.cb_offsets = {0};
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    parts.parent.push_back(tree.parent(node));
    parts.variable_offsets.push_back(tree.variable_begin(node) + tree.num_fully_summed(node));
    parts.cb_rows.insert(parts.cb_rows.end(), tree.cb_rows(node).begin(), tree.cb_rows(node).end());
    parts.cb_offsets.push_back(static_cast<Count>(parts.cb_rows.size()));
  }
  for (Index variable = 0; variable <= symbolic.order(); ++variable) {
    parts.entry_offsets.push_back(entries.entries_begin(variable));
  }
  parts.positions.reserve(static_cast<std::size_t>(entries.num_entries()));
  parts.sources.reserve(static_cast<std::size_t>(entries.num_entries()));
  for (Count entry = 0; entry < entries.num_entries(); ++entry) {
    parts.positions.push_back(entries.position(entry));
    parts.sources.push_back(entries.source(entry));
  }
  parts.ordering = symbolic.ordering();
  parts.symmetry = symbolic.symmetry();
  parts.structural_rank = symbolic.structural_rank();
  parts.pattern_hash = symbolic.pattern_hash();
  const FactorizationEstimate estimate = symbolic.estimate(Method::cholesky);  // reports both sums unchanged
  parts.exact_sum_c = static_cast<double>(estimate.exact_factor_entries);
  parts.exact_sum_c2 = estimate.elimination_flops;
  parts.blocks = symbolic.blocks();
  parts.couplings = symbolic.couplings();
  return parts;
}

std::shared_ptr<const Symbolic> joined(SavedSymbolic parts, NodeId schur_node) {
  check_order(parts);
  AssemblyTree tree(std::move(parts.parent), std::move(parts.variable_offsets), std::move(parts.cb_offsets),
                    std::move(parts.cb_rows), schur_node);
  check_symbolic(parts, tree);
  EntryMap entries(std::move(parts.entry_offsets), std::move(parts.positions), std::move(parts.sources));
  return std::make_shared<const Symbolic>(make_permutation(std::move(parts.perm)), std::move(parts.row_of_column), std::move(tree),
                                          std::move(entries), parts.ordering, parts.symmetry, parts.structural_rank,
                                          parts.pattern_hash, parts.exact_sum_c, parts.exact_sum_c2, std::move(parts.blocks),
                                          std::move(parts.couplings));
}

template <Scalar S>
std::uint64_t values_hash(std::span<const S> values) {
  return checksum_of(std::as_bytes(values));
}

#define FROND_INSTANTIATE(S) template std::uint64_t values_hash(std::span<const S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
