// SPDX-License-Identifier: BSD-3-Clause
// Systems whose rank, inertia and determinant are known.
//
// Known matrices are disguised by what changes none of this, or in a known way: permutations, congruences by powers of two, and,
// for complex scalars, by powers of i.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/factorization_report.hpp"
#include "frond/matrix.hpp"
#include "tests/support/matrices/known_matrices.hpp"

namespace frond::testing {

/// How large the powers of two are by which rows and columns are scaled: 2^-e .. 2^e, of a symmetric matrix the same for both.
struct Disguise {
  int largest_exponent = 0;
  bool permutes = false;  ///< rows and columns, of a symmetric matrix both alike
  bool rotates = false;   ///< by powers of i, for complex scalars
};

/// A matrix for the solver, and what must come out.
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

/// `symmetry`: general, or that of known.matrix, or Hermitian for a symmetric one.
template <Scalar S>
[[nodiscard]] KnownSystem<S> disguised(const KnownMatrix& known, Symmetry symmetry, const Disguise& disguise, std::uint64_t seed);

/// All of them in the scalar S, plain, permuted, and scaled by small and by large powers of two.
template <Scalar S>
[[nodiscard]] std::vector<KnownSystem<S>> known_systems();

}  // namespace frond::testing
