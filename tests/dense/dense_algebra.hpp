// SPDX-License-Identifier: BSD-3-Clause
// Dense algebra in double precision to compare with: eigenvalues and singular values by LAPACK, all else by Eigen. All functions
// are there for double and complex<double>, or for the four scalars of the solver.
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

/// X of A X = B by LU with row exchanges, A regular.
template <class W>
[[nodiscard]] EigenMatrix<W> solution(const EigenMatrix<W>& a, const EigenMatrix<W>& b);

template <class W>
[[nodiscard]] EigenMatrix<W> inverse(const EigenMatrix<W>& a);

/// Diagonal entries of U of P A = L U, the first one times det P: the determinant is their product. A is not empty.
template <class W>
[[nodiscard]] Eigen::Matrix<W, Eigen::Dynamic, 1> pivots(const EigenMatrix<W>& a);

/// Of a real symmetric or a Hermitian matrix, whose lower triangle is read; ascending. By xSYEV, xHEEV.
template <class W>
[[nodiscard]] Eigen::VectorXd eigenvalues(const EigenMatrix<W>& a);

/// Of a square matrix; descending, by xGESVD. What is below rounding errors of the largest is not accurate.
template <class W>
[[nodiscard]] Eigen::VectorXd singular_values(const EigenMatrix<W>& a);

/// The right singular vectors of op(A) that belong to the `dimension` smallest singular values. A is square.
template <Scalar S>
[[nodiscard]] WideDense<S> dense_null_space(const DenseMatrix<S>& a, Operation operation, Index dimension);

/// The sine of the largest angle between the spaces that the columns span; both orthonormal.
template <Scalar S>
[[nodiscard]] double distance_of_spaces(const DenseMatrix<S>& basis, const WideDense<S>& other);

/// The largest entry of |Z^H Z - I|.
template <Scalar S>
[[nodiscard]] double distance_from_orthonormal(const DenseMatrix<S>& basis);

}  // namespace frond::test
