// SPDX-License-Identifier: BSD-3-Clause
// The null space of a singular matrix, from factors that have found it singular.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "factorization/fronts/report.hpp"
#include "matrices/dense_matrix.hpp"
#include "matrices/products.hpp"
#include "matrices/sparse_matrix.hpp"
#include "solver/sweeps/sweep_part.hpp"

namespace frond {

/// A basis Z of the vectors z with op(A) z = 0.
///
/// Its columns are orthonormal to a few eps, and there are as many as the factorization has null pivots. Each is as good as
/// backward_errors tells: where the matrix is singular up to rounding errors, that is a few eps; where it merely has pivots below
/// the null threshold, it is about their size, and so are the singular values that belong to Z.
template <Scalar S>
struct NullSpace {
  DenseMatrix<S> basis;                 ///< order x dimension; no column if the matrix is not singular, or is_known is false
  std::vector<double> backward_errors;  ///< [column]: ||op(A) z|| / (||A|| ||z||), maximum norms
  bool is_known = true;                 ///< false: the matrix is singular, or may be, but there are no factors to find a basis with
  std::string note;                     ///< a sentence for the user where the basis is not what one would expect; or empty

  [[nodiscard]] Index dimension() const { return basis.num_cols; }
  [[nodiscard]] double worst_backward_error() const;  ///< 0 without a column
};

/// What a basis is found with.
template <Scalar S>
struct NullSpaceProblem {
  MatrixView<S> matrix;                   ///< as it is stored; only the one who calls needs it
  Operation operation;                    ///< on the stored matrix
  std::span<const Index> null_pivots;     ///< as in FactorizationReport
  bool is_singular_by_condition = false;  ///< as in SystemReport
  int num_threads = 0;
};

/// With a number for a null pivot, and none for the others, F2^-1 gives a null vector (see SweepPart). Vectors for all null pivots
/// are made orthonormal, then lose what the factors make of their residuals, as long as that makes them better. Of a matrix that
/// only its condition number tells to be singular the one vector comes from inverse iteration. Throws what `solve` throws, and
/// MemoryError.
template <Scalar S>
[[nodiscard]] NullSpace<S> find_null_space(const NullSpaceProblem<S>& problem, const SolvePart<S>& solve);

/// The answer where there are no factors.
template <Scalar S>
[[nodiscard]] NullSpace<S> unknown_null_space(Index order);

/// Static pivoting takes null pivots for small ones.
[[nodiscard]] bool may_hide_null_space(const FactorizationReport& report);

/// The answer where it may have done so.
template <Scalar S>
[[nodiscard]] NullSpace<S> hidden_null_space(Index order);

}  // namespace frond
