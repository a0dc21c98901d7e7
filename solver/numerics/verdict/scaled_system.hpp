// SPDX-License-Identifier: BSD-3-Clause
// Presents a factorized matrix in units in which its entries are about 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// B = D_r A D_c, and the solves with its factors. Referenced objects must outlive this.
template <Scalar S>
struct ScaledSystem {
  using R = RealOf<S>;

  MatrixView<S> matrix;            ///< A
  std::span<const R> row_scaling;  ///< D_r; empty: ones
  std::span<const R> col_scaling;
  const SolveInPlace<S>& solve;  ///< with A as far as it has pivots

  [[nodiscard]] std::size_t order() const { return static_cast<std::size_t>(matrix.pattern.num_cols); }

  /// x := op(B)^-1 x, plain or adjoint: D_c^-1 A^-1 D_r^-1 x.
  void apply_inverse(bool adjoint, std::span<S> x) const {
    const auto n = static_cast<Index>(x.size());
    apply_inverse(adjoint, DenseView<S>{x.data(), n, 1, n});
  }
  void apply_inverse(bool adjoint, DenseView<S> x) const {
    divide_columns(adjoint ? col_scaling : row_scaling, x);
    solve({adjoint ? Operation::adjoint : Operation::plain, x});
    divide_columns(adjoint ? row_scaling : col_scaling, x);
  }

  /// |B| v.
  [[nodiscard]] std::vector<R> multiply_magnitudes_by(std::vector<R> v) const {
    std::vector<S> x(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      x[i] = S(v[i] * (col_scaling.empty() ? R(1) : col_scaling[i]));
    }
    multiply_magnitudes<S>(matrix, Operation::plain, x, v);
    for (std::size_t i = 0; i < row_scaling.size(); ++i) {
      v[i] *= row_scaling[i];
    }
    return v;
  }

  /// [unknown] = whether it has no pivot: it is then 0 whatever the right-hand side. Takes a solve.
  [[nodiscard]] std::vector<char> find_unknowns_without_pivot() const {
    std::vector<S> x(order());
    std::mt19937_64 random(1);
    std::generate(x.begin(), x.end(), [&random] { return S(static_cast<R>(1 + static_cast<double>(random() >> 11) * 0x1p-53)); });
    apply_inverse(false, x);
    std::vector<char> has_none(x.size());
    std::transform(x.begin(), x.end(), has_none.begin(), [](S value) { return value == S(0) ? 1 : 0; });
    return has_none;
  }

  static void divide_columns(std::span<const R> scaling, DenseView<S> x) {
    for (Index j = 0; j < x.cols; ++j) {
      divide(scaling, std::span<S>(x.column(j), static_cast<std::size_t>(x.rows)));
    }
  }

  template <class T>
  static void divide(std::span<const R> scaling, std::span<T> x) {
    for (std::size_t i = 0; i < scaling.size(); ++i) {
      x[i] /= scaling[i];
    }
  }
};

}  // namespace frond
