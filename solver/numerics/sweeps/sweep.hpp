// SPDX-License-Identifier: BSD-3-Clause
// Defines a solve with factors, whole or in part, before refinement.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "frond/dense.hpp"
#include "matrices/products.hpp"

namespace frond {

/// op(A) = F1 D F2, each factor with the scaling and the permutation of its side: selects a part of the solve F2^-1 D^-1 F1^-1.
///
/// Between the factors numbers belong to pivots. A pivot is named by its row of A, which for the symmetric methods is its variable:
/// so there are as many numbers between the factors as A has rows, in their order.
///
///   method               op(A)   F1                    D                          F2
///   Cholesky             A       D_r^-1 P^T L          I                          F1^H
///   LDLT, LDLH           A       D_r^-1 P^T L          of 1x1 and 2x2 blocks      F1^T, F1^H
///   LU (A = N^T M^T)     A       D_r^-1 P^T N^T        I                          M^T Q D_c^-1
///   LU                   A^T     D_c^-1 Q^T M          I                          N P D_r^-1
///
/// Where a pivot is null, D^-1 has a zero. F2^-1 applied to a vector that is nonzero only there gives a null vector of op(A).
enum class SweepPart : std::uint8_t {
  whole,     ///< from right-hand sides, which belong to equations, to the solution, which belongs to unknowns
  first,     ///< F1^-1: from equations to pivots
  diagonal,  ///< D^-1: from pivots to pivots
  second     ///< F2^-1: from pivots to unknowns
};

/// What to solve with factors that leave a Schur complement. Right-hand sides and solutions have the rows of A.
enum class SchurUse : std::uint8_t {
  solve,     ///< X = (b1, b2) becomes the solution of the whole system
  condense,  ///< X becomes b2 - A21 A11^-1 b1 in the rows of the Schur complement
  expand     ///< X = (b1, x2) becomes (A11^-1 (b1 - A12 x2), x2)
};

/// X := the inverse of a part of op(A), or of op(A) as far as it has pivots, times X.
template <Scalar S>
struct Sweep {
  Operation operation = Operation::plain;
  DenseView<S> x = {};  ///< any number of columns
  SweepPart part = SweepPart::whole;
  SchurUse use = SchurUse::solve;
  /// Rows of X that need to become the solution of a whole solve, where that saves work; the others are undefined. Empty: all.
  std::span<const Index> wanted = {};

  /// The same for other sides.
  [[nodiscard]] Sweep of(DenseView<S> sides) const {
    Sweep same = *this;
    same.x = sides;
    return same;
  }
};

template <Scalar S>
using SolveInPlace = std::function<void(const Sweep<S>& sweep)>;

[[nodiscard]] constexpr bool has_first(SweepPart part) { return part == SweepPart::whole || part == SweepPart::first; }
[[nodiscard]] constexpr bool has_diagonal(SweepPart part) { return part == SweepPart::whole || part == SweepPart::diagonal; }
[[nodiscard]] constexpr bool has_second(SweepPart part) { return part == SweepPart::whole || part == SweepPart::second; }

}  // namespace frond
