// SPDX-License-Identifier: BSD-3-Clause
// How the solution of op(A) x = b is had from the factors of P D_r A D_c P^T: which factor first, what is scaled and conjugated.
#pragma once

#include <span>

#include "factorization/factors.hpp"
#include "matrices/products.hpp"
#include "solver/front_solve.hpp"

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
        equation_perm_(side_ == SolveSide::plain ? symbolic.row_perm() : symbolic.permutation().perm),
        unknown_perm_(side_ == SolveSide::plain ? symbolic.permutation().perm : symbolic.row_perm()),
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

  /// to := the row of b of an equation in its new number, scaled.
  void load(DenseView<const S> b, Index equation, S* to) const {
    const Index original = equation_perm_[static_cast<std::size_t>(equation)];
    const R scale = scale_of(equation_scaling_, original);
    for (Index i = 0; i < b.cols; ++i) {
      const S value = scale * b(original, i);
      to[i] = conjugates_outside_ ? conjugate(value) : value;
    }
  }

  /// The row of x of an unknown in its new number := from, scaled.
  void store(const S* from, DenseView<S> x, Index unknown) const {
    const Index original = unknown_perm_[static_cast<std::size_t>(unknown)];
    const bool conjugates = conjugates_outside_ != conjugates_inside_;
    const R scale = scale_of(unknown_scaling_, original);
    for (Index i = 0; i < x.cols; ++i) {
      x(original, i) = scale * (conjugates ? conjugate(from[i]) : from[i]);
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
  static R scale_of(std::span<const R> scaling, Index original) {
    return scaling.empty() ? R(1) : scaling[static_cast<std::size_t>(original)];
  }

  SolveSide side_;
  std::span<const Index> equation_perm_;
  std::span<const Index> unknown_perm_;
  std::span<const R> equation_scaling_;
  std::span<const R> unknown_scaling_;
  bool conjugates_outside_;  // A^T x = b of a Hermitian A, A^H x = b of the others: conj(A) conj(x) = conj(b)
  bool conjugates_inside_;
};

}  // namespace frond
