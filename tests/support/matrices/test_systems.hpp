// SPDX-License-Identifier: BSD-3-Clause
// Generates small systems of every kind, and provides an oracle for their solutions that shares no code with the solver.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"

namespace frond::testing {

/// Calls visit(i, j, value) for all stored entries, column after column; in a matrix that may be changed, `value` may be, too.
template <class Matrix, class Visit>
void for_each_entry(Matrix&& matrix, const Visit& visit) {
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const auto column = matrix.column_offsets.begin() + j;
    for (auto k = static_cast<std::size_t>(column[0]); k < static_cast<std::size_t>(column[1]); ++k) {
      visit(matrix.row_indices[k], j, matrix.values[k]);
    }
  }
}

/// A square matrix by its entries.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> from_triplets(Index order, Symmetry symmetry, std::vector<Index> rows, std::vector<Index> cols,
                                            std::vector<S> values) {
  return compress(Triplets<S>{order, order, symmetry, std::move(rows), std::move(cols), std::move(values)});
}

/// Determines how hard a random matrix is to factorize.
enum class Flavour {
  dominant,       ///< large real diagonal: positive definite when symmetric or Hermitian, no delayed pivots
  zero_diagonal,  ///< every other diagonal entry zero, indefinite: pivots must be delayed
  graded          ///< rows and columns scaled by powers of 2 between 2^-10 and 2^10
};

/// Returns a random sparse matrix with about `degree` entries in each row and column, one triangle unless general. It is
/// nonsingular for `dominant`, and otherwise with probability one if the order is even.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> random_matrix(Index order, Index degree, Symmetry symmetry, Flavour flavour, std::uint64_t seed);

/// Returns the 7-point Laplacian on a grid of n x n x n points: a tree large enough for several threads.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> laplacian(Index n);

/// Returns the Laplacian without boundary: every row adds up to 0, its rank is n^3 - 1.
[[nodiscard]] SparseMatrix<double> singular_laplacian(Index n);

/// Returns [d 0 1; 0 1 1; 1 1 1], in which entries grow to 1/d if d is the pivot: 10^6, in single precision 10^3.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> growing_matrix();

/// Entries 1 / (i + j + 1): for order 10 the condition number is 3.5e13.
[[nodiscard]] SparseMatrix<double> hilbert_matrix(Index order);

template <Scalar S>
[[nodiscard]] DenseMatrix<S> random_dense(Index rows, Index cols, std::uint64_t seed);

/// Returns all entries of op(A), computed without the products that the solver uses.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> dense(const SparseMatrix<S>& matrix, Operation operation = Operation::plain);

/// The largest normwise backward error over the columns of X, in long double.
template <Scalar S>
[[nodiscard]] double dense_backward_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b);

/// The largest |b - A x|_i / (|A| |x| + |b|)_i (Oettli & Prager 1964) over the columns of X, in long double.
template <Scalar S>
[[nodiscard]] double dense_componentwise_error(const DenseMatrix<S>& a, const DenseMatrix<S>& x, const DenseMatrix<S>& b);

/// Returns the largest difference of a column, relative to its largest entry in the first matrix.
template <Scalar S>
[[nodiscard]] double largest_relative_difference(const DenseMatrix<S>& a, const DenseMatrix<S>& b);

}  // namespace frond::testing
