// SPDX-License-Identifier: BSD-3-Clause
// Generates singular matrices of known rank.
#pragma once

#include <cstdint>

#include "frond/matrix.hpp"

namespace frond::testing {

/// Returns a sparse matrix of rank order - defect: a regular matrix of that order, some of whose rows and columns are repeated with
/// exact factors. Row order - defect + k is u times row 2 k, and that column is v times column 2 k, so null(A) has the vectors
/// e_(order - defect + k) - v e_2k, and null(A^T) those with u. For a general matrix u = -i and v = -1, or -1 and 1 if it is real;
/// otherwise u = v = i, or -1, and v = conj(u) if it is Hermitian.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> singular_matrix(Index order, Index defect, Symmetry symmetry, std::uint64_t seed);

}  // namespace frond::testing
