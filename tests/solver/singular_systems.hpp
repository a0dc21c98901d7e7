// SPDX-License-Identifier: BSD-3-Clause
// Singular matrices of known rank, and what dense algebra says of their null spaces.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "matrices/build.hpp"
#include "tests/solver/test_systems.hpp"

namespace frond::testing {

template <Scalar S>
using WideScalar = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;
template <Scalar S>
using WideDense = Eigen::Matrix<WideScalar<S>, Eigen::Dynamic, Eigen::Dynamic>;

template <Scalar S>
[[nodiscard]] WideDense<S> wide(const DenseMatrix<S>& matrix) {
  WideDense<S> result(matrix.num_rows, matrix.num_cols);
  for (Index j = 0; j < matrix.num_cols; ++j) {
    for (Index i = 0; i < matrix.num_rows; ++i) {
      result(i, j) = WideScalar<S>(matrix(i, j));
    }
  }
  return result;
}

/// A sparse matrix of rank order - defect: a regular one of that order, some of whose rows and columns are repeated with factors
/// that are exact. Row order - defect + k is u times row 2 k, and that column v times column 2 k: so null(A) has the vectors
/// e_(order - defect + k) - v e_2k, and null(A^T) those with u. For a general matrix u = -i and v = -1, or -1 and 1 if it is real;
/// otherwise u = v = i, or -1, and v = conj(u) if it is Hermitian.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> singular_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed) {
  const Index rank = order - defect;
  const SparseMatrix<S> regular = random_matrix<S>(rank, 3, symmetry, Flavour::dominant, seed);
  const DenseMatrix<S> whole = dense(regular);
  const auto source = [=](Index i) { return i < rank ? i : 2 * (i - rank); };
  S u = S(-1);
  S v = symmetry == Symmetry::general ? S(1) : S(-1);
  if constexpr (kIsComplex<S>) {
    u = S(0, symmetry == Symmetry::general ? -1 : 1);
    v = symmetry == Symmetry::general ? S(-1) : symmetry == Symmetry::hermitian ? std::conj(u) : u;
  }
  Triplets<S> entries{order, order, symmetry};
  for (Index j = 0; j < order; ++j) {
    for (Index i = symmetry == Symmetry::general ? 0 : j; i < order; ++i) {
      const S value = (i < rank ? S(1) : u) * (j < rank ? S(1) : v) * whole(source(i), source(j));
      if (value != S(0)) {
        entries.add(i, j, value);
      }
    }
  }
  return compress(std::move(entries));
}

/// The right singular vectors of op(A) that belong to the `dimension` smallest singular values, in double precision. A is dense.
template <Scalar S>
[[nodiscard]] WideDense<S> dense_null_space(const DenseMatrix<S>& a, Operation operation, Index dimension) {
  WideDense<S> matrix = wide(a);
  if (operation == Operation::transposed) {
    matrix.transposeInPlace();
  } else if (operation == Operation::adjoint) {
    matrix.adjointInPlace();
  }
  const Eigen::JacobiSVD<WideDense<S>> svd(matrix, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(dimension);
}

/// The sine of the largest angle between the spaces that the columns span; both orthonormal.
template <Scalar S>
[[nodiscard]] double distance_of_spaces(const DenseMatrix<S>& basis, const WideDense<S>& other) {
  const WideDense<S> z = wide(basis);
  return (z - other * (other.adjoint() * z)).norm();
}

/// The largest entry of |Z^H Z - I|.
template <Scalar S>
[[nodiscard]] double distance_from_orthonormal(const DenseMatrix<S>& basis) {
  const WideDense<S> z = wide(basis);
  return (z.adjoint() * z - WideDense<S>::Identity(z.cols(), z.cols())).cwiseAbs().maxCoeff();
}

}  // namespace frond::testing
