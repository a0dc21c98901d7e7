// SPDX-License-Identifier: BSD-3-Clause
// Computes entries of the inverse one by one.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "factorization/thin/selected_sweep.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/answers/inverse.hpp"
#include "solver/thin/thin_factors.hpp"

namespace frond {

/// Entries of A^-1, or of A^-T, for A as it is stored, at the positions of `pattern`, which has been checked, by columns. `memory`
/// is that of earlier calls for systems of this order, or new.
template <Scalar S>
void find_entries(const ThinFactors<S>& factors, bool is_transposed, const PatternView& pattern, SelectedPivots<S>& memory,
                  std::span<S> values) {
  using R = RealOf<S>;
  const SelectiveSolve<S> system = factors.selective_solve(is_transposed);
  const auto scale = [](std::span<const R> scales, Index pivot) { return scales.empty() ? R(1) : scales[pivot]; };
  std::vector<Index> wanted;
  memory.make_room(system.factors.blocks.back());
  for (Index column = 0; column < pattern.num_cols; ++column) {
    const std::span<const Index> rows = rows_of(pattern, column);
    if (rows.empty()) {
      continue;
    }
    wanted.resize(rows.size());
    std::ranges::transform(rows, wanted.begin(), [&](Index row) { return system.pivots_of_unknowns[row]; });
    const Index given = system.pivots_of_rows[column];
    memory.x()[given] = scale(system.row_scales, given);
    memory.solve(system.factors, given, wanted);
    std::ranges::transform(wanted, &values[pattern.column_offsets[column]], [&](Index pivot) {
      const S found = memory.x()[pivot] * scale(system.unknown_scales, pivot);
      return system.is_conjugated ? conjugate(found) : found;
    });
    memory.clear();
  }
}

}  // namespace frond
