// SPDX-License-Identifier: BSD-3-Clause
// From the front or the grid that holds a Schur complement to a rank or another grid.
#include "solver/mpi/rank_complement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_front.hpp"

namespace frond {
namespace {

GridShape shape_for(const SchurGrid& grid, Rank num_ranks) {
  GridShape shape = grid.shape;
  if (shape.num_rows == 0 && shape.num_cols == 0) {
    shape.num_rows = static_cast<Rank>(std::sqrt(static_cast<double>(num_ranks)));
    shape.num_cols = num_ranks / shape.num_rows;
  }
  if (shape.num_rows < 1 || shape.num_cols < 1 || static_cast<Count>(shape.num_rows) * shape.num_cols > num_ranks ||
      grid.block_size < 1) {
    throw UsageError(
        fmt::format("a Schur complement cannot be spread over {} by {} ranks of {} in blocks of {}: the grid needs one rank at "
                    "least, and no more "
                    "than there are, and blocks one row",
                    shape.num_rows, shape.num_cols, num_ranks, grid.block_size));
  }
  return shape;
}

}  // namespace

void check_kept(std::span<const Index> rows, std::span<const Index> kept) {
  for (const Index row : rows) {
    if (std::find(kept.begin(), kept.end(), row) == kept.end()) {
      throw UsageError(fmt::format("row {} (counted from 0) is none of the Schur complement's {}", row, kept.size()));
    }
  }
}

template <Scalar S>
JoinedRows<S>::JoinedRows(Index order, std::span<const Index> kept, const DenseRows<const S>& b, const DenseRows<const S>& x2) {
  const Index num_columns = b.rows.empty() ? x2.values.cols : b.values.cols;
  if (!x2.rows.empty() && x2.values.cols != num_columns) {
    throw UsageError(fmt::format("there are {} columns of right-hand sides, but {} of the solution of the condensed system",
                                 num_columns, x2.values.cols));
  }
  std::vector<char> is_kept(static_cast<std::size_t>(order), 0);
  for (const Index variable : kept) {
    is_kept[static_cast<std::size_t>(variable)] = 1;
  }
  std::vector<std::pair<const DenseRows<const S>*, Index>> sources;  // and the place in it
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    if (is_kept[static_cast<std::size_t>(b.rows[k])] == 0) {
      rows_.push_back(b.rows[k]);
      sources.emplace_back(&b, static_cast<Index>(k));
    }
  }
  for (std::size_t k = 0; k < x2.rows.size(); ++k) {
    rows_.push_back(x2.rows[k]);
    sources.emplace_back(&x2, static_cast<Index>(k));
  }
  values_ = DenseMatrix<S>(static_cast<Index>(rows_.size()), num_columns);
  for (Index j = 0; j < num_columns; ++j) {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      values_(static_cast<Index>(k), j) = sources[k].first->values(sources[k].second, j);
    }
  }
}

template <Scalar S>
DenseRows<const S> JoinedRows<S>::view() const {
  return {rows_, view_of(values_)};
}

// On the rank that has it whole; nothing on the others.
template <Scalar S>
DenseMatrix<S> RankComplement<S>::whole(bool is_of_a) const {
  DenseMatrix<S> complement;
  agree(ranks_, [&] {
    if (is_on_grid() || factors_ == nullptr || ranks_.rank() != owner()) {
      return;
    }
    complement = schur_complement_in<S>(factors_->fronts[static_cast<std::size_t>(symbolic_.tree().schur_node())], method_,
                                        symbolic_.schur_variables(), row_scaling_, col_scaling_);
    if (is_transposed_ && is_of_a) {
      transpose(complement);
    }
  });
  return complement;
}

template <Scalar S>
SchurSource<S> RankComplement<S>::source(const DenseMatrix<S>& whole, bool is_of_a) const {
  const Index order = symbolic_.schur_order();
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
  const RootGrid& grid = mapping_.root_grid();
  const bool transposes = is_transposed_ && is_of_a;
  const bool is_general = method_ == Method::lu;  // which has the transposed of what is stored on the grid
  return {.form = is_general                ? SchurForm::all
                  : method_ == Method::ldlt ? SchurForm::symmetric_lower
                                            : SchurForm::hermitian_lower,
          .is_transposed = transposes != is_general,
          .layout = RootLayout(order, grid.block_size, grid.shape),
          .ranks = grid.ranks,
          .entries = factors_->root ? factors_->root->part.entries : nullptr,
          .variables = symbolic_.schur_variables(),
          .row_scaling = transposes ? col_scaling_ : row_scaling_,
          .col_scaling = transposes ? row_scaling_ : col_scaling_};
}

template <Scalar S>
DenseMatrix<S> RankComplement<S>::on_rank_0(bool is_of_a) const {
  const Index order = symbolic_.schur_order();
  if (order > 0 && !is_on_grid() && factors_ != nullptr && owner() == 0) {
    return whole(is_of_a);
  }
  SchurPart<S> of_one = part({.block_size = std::max<Index>(order, 1), .shape = {1, 1}}, is_of_a);
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
  agree(ranks_, [&] {
    part.layout = RootLayout(symbolic_.schur_order(), grid.block_size, shape_for(grid, ranks_.num_ranks()));
    part.is_in_grid = ranks_.rank() < part.layout.shape().size();
    if (part.is_in_grid) {
      part.position = part.layout.position(ranks_.rank());
      part.entries.resize(static_cast<std::size_t>(part.layout.num_entries(part.position)));
    }
  });
  if (factors_ == nullptr) {
    std::fill(part.entries.begin(), part.entries.end(), S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  } else if (symbolic_.schur_order() > 0) {
    const DenseMatrix<S> here = whole(is_of_a);
    spread_schur_complement<S>(ranks_, source(here, is_of_a), part.layout, part.entries);
  }
  return part;
}

template class RankComplement<float>;
template class RankComplement<double>;
template class RankComplement<std::complex<float>>;
template class RankComplement<std::complex<double>>;
template class JoinedRows<float>;
template class JoinedRows<double>;
template class JoinedRows<std::complex<float>>;
template class JoinedRows<std::complex<double>>;

}  // namespace frond
