// SPDX-License-Identifier: BSD-3-Clause
// Adds mapped entries at their positions in fronts.
#include "factorization/fronts/assemble_entries.hpp"

#include "factorization/fronts/subnormals.hpp"

namespace frond {
namespace {

constexpr Count kAhead = 16;  // entries whose values are prefetched: they lie in the order of A, not of the elimination

// Returns the place of A(row, col), one of whose positions is fully summed.
template <Scalar S>
S& unsymmetric_entry(const FrontTarget<S>& target, Index row, Index col) {
  return row < target.num_fully_summed() ? target.summed_row(row)[col] : target.summed_column(col)[row];
}

}  // namespace

template <Scalar S>
void assemble_entries(const Symbolic& symbolic, Method method, const ScaledValues<S>& matrix, NodeId node,
                      const FrontTarget<S>& target) {
  const SubnormalsKept kept;  // entries of A come in any unit
  const AssemblyTree& tree = symbolic.tree();
  const EntryMap& entries = symbolic.entries();
  const Index first = tree.variable_begin(node);
  const Index tree_summed = tree.num_fully_summed(node);
  const Index shift = target.num_delayed_in();
  const auto variable_at = [&](Index position) {
    return static_cast<std::size_t>(position < tree_summed ? first + position
                                                           : tree.cb_rows(node)[static_cast<std::size_t>(position - tree_summed)]);
  };
  const Count end = entries.entries_begin(first + tree_summed);
  const auto ask_for = [&](Count entry) {
    if (entry < end) {
      __builtin_prefetch(matrix.values.data() + entries.source(entry));
    }
  };
  for (Count ahead = 0; ahead < kAhead; ++ahead) {
    ask_for(entries.entries_begin(first) + ahead);
  }
  for (Index k = 0; k < tree_summed; ++k) {
    const Index variable = first + k;
    const auto own = static_cast<std::size_t>(variable);
    for (Count entry = entries.entries_begin(variable); entry < entries.entries_begin(variable + 1); ++entry) {
      ask_for(entry + kAhead);
      const Index code = entries.position(entry);
      const bool is_upper = code < 0;  // A(own, other) instead of A(other, own)
      const Index position = is_upper ? ~code : code;
      const Index row = shift + (is_upper && !is_symmetric(method) ? k : position);
      const Index col = shift + (is_upper && !is_symmetric(method) ? position : k);
      if (!target.holds_row(row)) {
        continue;
      }
      S value = matrix.values[static_cast<std::size_t>(entries.source(entry))];
      if (!matrix.row_scaling.empty()) {
        const std::size_t other = variable_at(position);
        value *= matrix.row_scaling[is_upper ? own : other];  // one after the other: their product may overflow
        value *= matrix.col_scaling[is_upper ? other : own];
      }
      if (is_symmetric(method)) {
        const bool conjugated = is_upper && method != Method::ldlt;
        target.column(col)[row] += conjugated ? conjugate(value) : value;
      } else {
        unsymmetric_entry(target, row, col) += value;
      }
    }
  }
}

#define FROND_INSTANTIATE(S) \
  template void assemble_entries(const Symbolic&, Method, const ScaledValues<S>&, NodeId, const FrontTarget<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
