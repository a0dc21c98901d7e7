// SPDX-License-Identifier: BSD-3-Clause
// Moves a Schur complement from the front or grid that holds it to a rank or another grid.
#include "solver/distributed/mpi/rank_complement.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "frond/error.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/numerics/schur/schur_complement.hpp"
#include "solver/numerics/schur/schur_grid.hpp"

namespace frond {
// Returns it on the rank that has all of it; nothing on the others.
template <Scalar S>
DenseMatrix<S> RankComplement<S>::whole(bool is_of_a) const {
  DenseMatrix<S> complement;
  agree(ranks, [&] {
    if (is_on_grid() || factors == nullptr || ranks.rank() != owner()) {
      return;
    }
    complement = schur_complement_in<S>(factors->fronts[symbolic.tree().schur_node()], method, symbolic.schur_variables(),
                                        row_scaling, col_scaling);
    if (is_transposed && is_of_a) {
      transpose(complement);
    }
  });
  return complement;
}

template <Scalar S>
SchurSource<S> RankComplement<S>::source(const DenseMatrix<S>& whole, bool is_of_a) const {
  const Index order = symbolic.schur_order();
  if (!is_on_grid()) {
    return {.form = SchurForm::all,
            .is_transposed = false,
            .layout = RootLayout(order, std::max<Index>(order, 1), {1, 1}),
            .ranks = {owner()},
            .entries = whole.values.data(),
            .variables = {},
            .row_scaling = {},
            .col_scaling = {}};
  }
  const RootGrid& grid = mapping.root_grid();
  const bool transposes = is_transposed && is_of_a;
  const bool is_general = method == Method::lu;  // the grid then holds the transpose of what is stored
  return {.form = is_general               ? SchurForm::all
                  : method == Method::ldlt ? SchurForm::symmetric_lower
                                           : SchurForm::hermitian_lower,
          .is_transposed = transposes != is_general,
          .layout = RootLayout(order, grid.block_size, grid.shape),
          .ranks = grid.ranks,
          .entries = factors->root ? factors->root->part.entries : nullptr,
          .variables = symbolic.schur_variables(),
          .row_scaling = transposes ? col_scaling : row_scaling,
          .col_scaling = transposes ? row_scaling : col_scaling};
}

template <Scalar S>
DenseMatrix<S> RankComplement<S>::on_rank_0(bool is_of_a) const {
  const Index order = symbolic.schur_order();
  if (order > 0 && !is_on_grid() && factors != nullptr && owner() == 0) {
    return whole(is_of_a);
  }
  SchurPart<S> of_one = part({.block_size = std::max<Index>(order, 1), .num_rows = 1, .num_cols = 1}, is_of_a);
  DenseMatrix<S> gathered;
  if (of_one.is_in_grid) {
    gathered.num_rows = order;
    gathered.num_cols = order;
    gathered.values = std::move(of_one.entries);
  }
  return gathered;
}

template <Scalar S>
SchurPart<S> RankComplement<S>::part(const SchurGrid& grid, bool is_of_a) const {
  SchurPart<S> part;
  RootLayout layout;
  agree(ranks, [&] {
    const GridShape shape = schur_grid_shape(grid, ranks.num_ranks());
    layout = RootLayout(symbolic.schur_order(), grid.block_size, shape);
    part.grid = {grid.block_size, shape.num_rows, shape.num_cols};
    part.order = symbolic.schur_order();
    part.is_in_grid = ranks.rank() < shape.size();
    if (part.is_in_grid) {
      const GridPosition position = layout.position(ranks.rank());
      part.row = position.row;
      part.col = position.col;
      part.num_rows = layout.rows().local_size(position.row);
      part.num_cols = layout.cols().local_size(position.col);
      part.entries.resize(static_cast<std::size_t>(layout.num_entries(position)));
    }
  });
  if (factors == nullptr) {
    std::fill(part.entries.begin(), part.entries.end(), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  } else if (symbolic.schur_order() > 0) {
    const DenseMatrix<S> here = whole(is_of_a);
    spread_schur_complement<S>(ranks, source(here, is_of_a), layout, part.entries);
  }
  return part;
}

#define FROND_INSTANTIATE(S) template struct RankComplement<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
