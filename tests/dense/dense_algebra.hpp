// SPDX-License-Identifier: BSD-3-Clause
// Provides dense algebra in double precision as a reference: eigenvalues and singular values by LAPACK, everything else by Eigen.
// All functions exist for double and complex<double>, or for the four scalars of the solver.
#pragma once

#include <Eigen/Core>

#include "frond/dense.hpp"
#include "matrices/products.hpp"
#include "tests/dense/wide_scalar.hpp"

namespace frond::test {

template <class W>
using EigenMatrix = Eigen::Matrix<W, Eigen::Dynamic, Eigen::Dynamic>;

template <Scalar S>
using WideDense = EigenMatrix<Wide<S>>;

template <Scalar S>
[[nodiscard]] WideDense<S> wide(const DenseMatrix<S>& matrix);

template <class W>
[[nodiscard]] EigenMatrix<W> product(const EigenMatrix<W>& a, const EigenMatrix<W>& b);

/// Returns X of A X = B by LU with row exchanges, A regular.
template <class W>
[[nodiscard]] EigenMatrix<W> solution(const EigenMatrix<W>& a, const EigenMatrix<W>& b);

template <class W>
[[nodiscard]] EigenMatrix<W> inverse(const EigenMatrix<W>& a);

/// Returns the diagonal entries of U of P A = L U, the first one times det P, so that their product is the determinant. A is not
/// empty.
template <class W>
[[nodiscard]] Eigen::Matrix<W, Eigen::Dynamic, 1> pivots(const EigenMatrix<W>& a);

/// Returns the eigenvalues of a real symmetric or Hermitian matrix, in ascending order, from its lower triangle, by xSYEV or xHEEV.
template <class W>
[[nodiscard]] Eigen::VectorXd eigenvalues(const EigenMatrix<W>& a);

/// Returns the singular values of a square matrix, in descending order, by xGESVD. Values below the rounding error of the largest
/// are inaccurate.
template <class W>
[[nodiscard]] Eigen::VectorXd singular_values(const EigenMatrix<W>& a);

/// Returns the right singular vectors of op(A) for the `dimension` smallest singular values. A is square.
template <Scalar S>
[[nodiscard]] WideDense<S> dense_null_space(const DenseMatrix<S>& a, Operation operation, Index dimension);

/// Returns the sine of the largest angle between the spaces that the orthonormal columns span.
template <Scalar S>
[[nodiscard]] double distance_of_spaces(const DenseMatrix<S>& basis, const WideDense<S>& other);

/// Returns the largest entry of |Z^H Z - I|.
template <Scalar S>
[[nodiscard]] double distance_from_orthonormal(const DenseMatrix<S>& basis);

}  // namespace frond::test
