// SPDX-License-Identifier: BSD-3-Clause
// Generates systems whose rank, inertia and determinant are known.
//
// Known matrices are disguised by transformations that change these properties in a known way or not at all: permutations,
// congruences by powers of two, and, for complex scalars, by powers of i.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/known_matrices.hpp"

namespace frond::testing {

/// Rows and columns are scaled by powers of two within 2^-e .. 2^e, alike for a symmetric matrix.
struct Disguise {
  int largest_exponent = 0;
  bool permutes = false;  ///< rows and columns, alike for a symmetric matrix
  bool rotates = false;   ///< by powers of i, for complex scalars
};

/// A matrix for the solver, and the expected results.
template <Scalar S>
struct KnownSystem {
  std::string name;
  SparseMatrix<S> matrix;
  Index rank = 0;
  Inertia inertia{};
  bool has_inertia = false;
  std::optional<Determinant> determinant{};
  double condition = 1;  ///< KnownMatrix::condition
};

/// `symmetry` is general, that of known.matrix, or Hermitian for a symmetric one.
template <Scalar S>
[[nodiscard]] KnownSystem<S> disguised(const KnownMatrix& known, Symmetry symmetry, const Disguise& disguise, std::uint64_t seed);

/// Returns all known systems in the scalar S: plain, permuted, and scaled by small and by large powers of two.
template <Scalar S>
[[nodiscard]] std::vector<KnownSystem<S>> known_systems();

}  // namespace frond::testing
