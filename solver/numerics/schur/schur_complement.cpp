// SPDX-License-Identifier: BSD-3-Clause
// Copies the remaining front to a dense matrix.
#include "solver/numerics/schur/schur_complement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/scaling/scaling.hpp"

namespace frond {
namespace {

// LU stores the transpose.
template <Scalar S>
void copy_transposed(const FrontFactor<S>& front, DenseMatrix<S>& complement) {
  constexpr Index kTile = 32;
  const Index order = complement.num_rows;
  for (Index col_begin = 0; col_begin < order; col_begin += kTile) {
    for (Index row = 0; row < order; ++row) {
      const S* from = front.lower + front.layout.column_offset(row);
      for (Index col = col_begin; col < std::min(order, col_begin + kTile); ++col) {
        complement(row, col) = from[col];
      }
    }
  }
}

// The symmetric methods store the lower triangle.
template <Scalar S>
void copy_mirrored(const FrontFactor<S>& front, bool is_hermitian, DenseMatrix<S>& complement) {
  const Index order = complement.num_rows;
  for (Index col = 0; col < order; ++col) {
    const S* from = front.lower + front.layout.column_offset(col);
    for (Index row = col; row < order; ++row) {
      complement(col, row) = is_hermitian ? conjugate(from[row]) : from[row];
      complement(row, col) = from[row];
    }
  }
}

}  // namespace

template <Scalar S>
DenseMatrix<S> schur_complement_of(const Factors<S>& factors) {
  const Symbolic& symbolic = factors.symbolic();
  if (symbolic.schur_order() == 0) {
    return {};
  }
  return schur_complement_in(factors.front(symbolic.tree().schur_node()), factors.method(), symbolic.schur_variables(),
                             factors.row_scaling(), factors.col_scaling());
}

template <Scalar S>
DenseMatrix<S> schur_complement_in(const FrontFactor<S>& front, Method method, std::span<const Index> variables,
                                   std::span<const RealOf<S>> row_scaling, std::span<const RealOf<S>> col_scaling) {
  const auto order = static_cast<Index>(variables.size());
  DenseMatrix<S> complement(order, order);
  if (method == Method::lu) {
    copy_transposed(front, complement);
  } else {
    copy_mirrored(front, method != Method::ldlt, complement);
  }
  for (Index col = 0; col < order; ++col) {
    const RealOf<S> col_scale = scale_of(col_scaling, variables[col]);
    for (Index row = 0; row < order; ++row) {
      complement(row, col) /= scale_of(row_scaling, variables[row]) * col_scale;
    }
  }
  return complement;
}

template <Scalar S>
void transpose(DenseMatrix<S>& square) {
  for (Index col = 0; col < square.num_cols; ++col) {
    for (Index row = 0; row < col; ++row) {
      std::swap(square(row, col), square(col, row));
    }
  }
}

template <Scalar S>
void check_schur_sides(const Symbolic& symbolic, DenseView<const S> all, DenseView<const S> schur) {
  const Index order = symbolic.order();
  const Index schur_order = symbolic.schur_order();
  if (all.rows != order || schur.rows != schur_order || all.cols != schur.cols) {
    throw UsageError(
        fmt::format("the matrix has order {} and its Schur complement order {}, but the right-hand sides are {} by {} and those of "
                    "the Schur complement {} by {}",
                    order, schur_order, all.rows, all.cols, schur.rows, schur.cols));
  }
  if (all.ld < order || schur.ld < schur_order) {
    throw UsageError(
        fmt::format("the leading dimensions {} and {} are below the orders {} and {} of the matrix and of its Schur complement",
                    all.ld, schur.ld, order, schur_order));
  }
}

void check_schur_pivoting(const PivotingOptions& pivoting, Index schur_order) {
  if (pivoting.kind == PivotingKind::static_structure && schur_order > 0) {
    throw UsageError(
        "static pivoting perturbs pivots, and a Schur complement of perturbed factors cannot be refined: ask for threshold "
        "pivoting");
  }
}

void check_schur_precision(bool is_mixed, Index schur_order) {
  if (is_mixed && schur_order > 0) {
    throw UsageError(
        "a Schur complement is computed in the precision of the matrix: ask for full precision instead of mixed, or give a matrix "
        "in "
        "single precision");
  }
}

#define FROND_INSTANTIATE(S)                                                                                                     \
  template DenseMatrix<S> schur_complement_of(const Factors<S>&);                                                                \
  template void transpose(DenseMatrix<S>&);                                                                                      \
  template void check_schur_sides(const Symbolic&, DenseView<const S>, DenseView<const S>);                                      \
  template DenseMatrix<S> schur_complement_in(const FrontFactor<S>&, Method, std::span<const Index>, std::span<const RealOf<S>>, \
                                              std::span<const RealOf<S>>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
