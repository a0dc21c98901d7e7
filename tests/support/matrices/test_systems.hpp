// SPDX-License-Identifier: BSD-3-Clause
// Small systems of every kind, and an oracle for their solutions that shares no code with the solver.
#pragma once

#include <cstdint>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"

namespace frond::testing {

/// What makes a random matrix hard or easy to factorize.
enum class Flavour {
  dominant,       ///< large real diagonal: positive definite when symmetric or Hermitian, no delayed pivots
  zero_diagonal,  ///< nothing on the diagonal of every other variable, indefinite: pivots must be delayed
  graded          ///< rows and columns scaled by powers of 2 between 2^-10 and 2^10
};

/// A random sparse matrix with about `degree` entries in each row and column, of one triangle unless general. Nonsingular with
/// certainty for `dominant`, with probability one otherwise if the order is even.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> random_matrix(Index order, Index degree, Symmetry symmetry, Flavour flavour, std::uint64_t seed);

/// The 7-point Laplacian on a grid of n x n x n points: a tree that is worth several threads.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> laplacian(Index n);

/// The same without boundary: every row adds up to 0, its rank is n^3 - 1.
[[nodiscard]] SparseMatrix<double> singular_laplacian(Index n);

/// [d 0 1; 0 1 1; 1 1 1], in which entries grow to 1/d when d is taken for a pivot: 10^6, in single precision 10^3.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> growing_matrix();

/// 1 / (i + j + 1): of order 10 the condition number is 3.5e13.
[[nodiscard]] SparseMatrix<double> hilbert_matrix(Index order);

template <Scalar S>
[[nodiscard]] DenseMatrix<S> random_dense(Index rows, Index cols, std::uint64_t seed);

/// All entries of op(A), found without the products that the solver uses.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> dense(const SparseMatrix<S>& matrix, Operation operation = Operation::plain);

/// The largest normwise backward error over the columns of X, in long double.
template <Scalar S>
[[nodiscard]] double dense_backward_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b);

/// The largest |b - A x|_i / (|A| |x| + |b|)_i (Oettli & Prager 1964) over the columns of X, in long double.
template <Scalar S>
[[nodiscard]] double dense_componentwise_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b);

}  // namespace frond::testing
