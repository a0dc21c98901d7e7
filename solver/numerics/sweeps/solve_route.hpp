// SPDX-License-Identifier: BSD-3-Clause
// Determines how the factors of P D_r A D_c P^T solve op(A) x = b: which factor comes first, what is scaled and conjugated.
#pragma once

#include <span>

#include "analysis/symbolic.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "matrices/products.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/front_solve.hpp"

namespace frond {

/// Right-hand sides belong to equations, the solution to unknowns: rows and columns of A, or the other way round when A is
/// transposed.
template <Scalar S>
class SolveRoute {
 public:
  using R = RealOf<S>;

  /// The scalings are those of Factors; they and `symbolic` must outlive this object.
  SolveRoute(const Symbolic& symbolic, Method method, Operation operation, std::span<const R> row_scaling,
             std::span<const R> col_scaling)
      : side_(method == Method::lu && operation != Operation::plain ? SolveSide::transposed : SolveSide::plain),
        equation_permutation_(side_ == SolveSide::plain ? symbolic.row_permutation() : symbolic.permutation()),
        unknown_permutation_(side_ == SolveSide::plain ? symbolic.permutation() : symbolic.row_permutation()),
        equation_scaling_(side_ == SolveSide::plain ? row_scaling : col_scaling),
        unknown_scaling_(side_ == SolveSide::plain ? col_scaling : row_scaling) {
    const bool is_hermitian = method == Method::cholesky || method == Method::ldlh;
    conjugates_outside_ = kIsComplex<S> && operation == (is_hermitian ? Operation::transposed : Operation::adjoint);
    conjugates_inside_ = kIsComplex<S> && is_hermitian;
  }

  [[nodiscard]] SolveSide side() const { return side_; }
  [[nodiscard]] const Index* equations(const FrontFactor<S>& front) const {
    return side_ == SolveSide::plain ? front.row_variables : front.col_variables;
  }
  [[nodiscard]] const Index* unknowns(const FrontFactor<S>& front) const {
    return side_ == SolveSide::plain ? front.col_variables : front.row_variables;
  }

  /// Maps rows of b and x to the new numbers of equations and unknowns, and back.
  [[nodiscard]] Index equation_of(Index row) const { return equation_permutation_.inverse_perm[row]; }
  [[nodiscard]] Index unknown_of(Index row) const { return unknown_permutation_.inverse_perm[row]; }
  [[nodiscard]] Index row_of_equation(Index equation) const { return equation_permutation_.perm[equation]; }
  [[nodiscard]] Index row_of_unknown(Index unknown) const { return unknown_permutation_.perm[unknown]; }

  /// to := row k of b, scaled as row `row` of the system.
  void load(DenseView<const S> b, Index k, Index row, S* to) const {
    const R scale = scale_of(equation_scaling_, row);
    for (Index i = 0; i < b.cols; ++i) {
      const S value = scale * b(k, i);
      to[i] = conjugates_outside_ ? conjugate(value) : value;
    }
  }

  /// Row k of x := from, scaled as row `row` of the solution.
  void store(const S* from, DenseView<S> x, Index k, Index row) const {
    const bool conjugates = conjugates_outside_ != conjugates_inside_;
    const R scale = scale_of(unknown_scaling_, row);
    for (Index i = 0; i < x.cols; ++i) {
      x(k, i) = scale * (conjugates ? conjugate(from[i]) : from[i]);
    }
  }

  /// to := the numbers of a pivot, between F1 and D, or after D (see SweepPart) if `is_behind`.
  void load_pivot(DenseView<const S> y, Index row, S* to, bool is_behind) const {
    const bool conjugates = is_behind ? conjugates_outside_ != conjugates_inside_ : conjugates_outside_;
    for (Index i = 0; i < y.cols; ++i) {
      to[i] = conjugates ? conjugate(y(row, i)) : y(row, i);
    }
  }

  /// The numbers of a pivot := from, in their state before turn().
  void store_pivot(const S* from, DenseView<S> y, Index row) const {
    for (Index i = 0; i < y.cols; ++i) {
      y(row, i) = conjugates_outside_ ? conjugate(from[i]) : from[i];
    }
  }

  /// The reverse of load(): a row of b := from, unscaled.
  void store_equation(const S* from, DenseView<S> b, Index row) const {
    const R scale = scale_of(equation_scaling_, row);
    for (Index i = 0; i < b.cols; ++i) {
      const S value = from[i] / scale;
      b(row, i) = conjugates_outside_ ? conjugate(value) : value;
    }
  }

  /// The reverse of store(): to := a row of x, scaled.
  void load_unknown(DenseView<const S> x, Index row, S* to) const {
    const bool conjugates = conjugates_outside_ != conjugates_inside_;
    const R scale = scale_of(unknown_scaling_, row);
    for (Index i = 0; i < x.cols; ++i) {
      const S value = x(row, i) / scale;
      to[i] = conjugates ? conjugate(value) : value;
    }
  }

  /// Between the sweeps: L^H x = y is solved as L^T conj(x) = conj(y).
  void turn(DenseView<S> y) const {
    for (Index j = 0; j < y.cols && conjugates_inside_; ++j) {
      for (Index i = 0; i < y.rows; ++i) {
        y(i, j) = conjugate(y(i, j));
      }
    }
  }

 private:
  SolveSide side_;
  const Permutation& equation_permutation_;
  const Permutation& unknown_permutation_;
  std::span<const R> equation_scaling_;
  std::span<const R> unknown_scaling_;
  bool conjugates_outside_;  // A^T x = b of a Hermitian A, A^H x = b of the others: conj(A) conj(x) = conj(b)
  bool conjugates_inside_;
};

}  // namespace frond
