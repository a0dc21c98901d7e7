// SPDX-License-Identifier: BSD-3-Clause
// Adds mapped entries at their positions in fronts.
#include "factorization/fronts/assemble_entries.hpp"

#include "factorization/fronts/front_entries.hpp"
#include "factorization/fronts/subnormals.hpp"

namespace frond {
namespace {

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
  const Index shift = target.num_delayed_in();
  for_each_entry(symbolic, matrix.values, node, [&](const FrontEntry& entry) {
    const bool is_in_row_k = entry.is_upper && !is_symmetric(method);
    const Index row = shift + (is_in_row_k ? entry.k : entry.position);
    const Index col = shift + (is_in_row_k ? entry.position : entry.k);
    if (!target.holds_row(row)) {
      return;
    }
    const S value = scaled_value(symbolic.tree(), matrix, node, entry);
    if (is_symmetric(method)) {
      const bool conjugated = entry.is_upper && method != Method::ldlt;
      target.column(col)[row] += conjugated ? conjugate(value) : value;
    } else {
      unsymmetric_entry(target, row, col) += value;
    }
  });
}

#define FROND_INSTANTIATE(S) \
  template void assemble_entries(const Symbolic&, Method, const ScaledValues<S>&, NodeId, const FrontTarget<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
