// SPDX-License-Identifier: BSD-3-Clause
// Generates saddle point matrices [D A^T; A 0] whose D spans many orders of magnitude; inertia and rank do not depend on D.
#pragma once

#include <cstdint>

#include "frond/matrix.hpp"

namespace frond::testing {

struct KktKind {
  std::uint64_t seed = 1;
  int exponent = 12;         ///< half of D's entries lie in 10^-exponent .. 10^-2, the others in 10^2 .. 10^exponent
  Index num_dependent = 0;   ///< further rows of A, at most 10, each the sum of two others: as many null vectors
  int most_scaled = 0;       ///< then S (...) S with S of random powers of 2 between 2^-most_scaled and 2^most_scaled
  Index num_variables = 30;  ///< order of D: this many positive eigenvalues
  Index num_rows = 20;       ///< of A, of full rank, entries 0, 1, -1 and 1/2: this many negative eigenvalues
};

/// Returns the lower triangle.
[[nodiscard]] SparseMatrix<double> kkt_matrix(const KktKind& kind);

/// Returns [A B^T; B 3 I], where B has `width` rows with some entries of 1.
[[nodiscard]] SparseMatrix<double> bordered(const SparseMatrix<double>& triangle, Index width);

}  // namespace frond::testing
