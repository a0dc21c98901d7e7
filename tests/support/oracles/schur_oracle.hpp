// SPDX-License-Identifier: BSD-3-Clause
// Computes Schur complements in double precision, with the errors that a backward stable elimination may have.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"
#include "tests/dense/dense_algebra.hpp"

namespace frond::testing {

/// A = [A11 A12; A21 A22] with block 2 = `variables` in their order, eliminated by dense algebra.
template <Scalar S>
class SchurOracle {
 public:
  /// A11 must be regular.
  SchurOracle(const DenseMatrix<S>& a, std::span<const Index> variables);

  /// Returns (A22 - A21 A11^-1 A12)^-1 B.
  [[nodiscard]] DenseMatrix<S> solution(const DenseMatrix<S>& b) const;

  /// (1 + ||Z||) (1 + ||W||) in the maximum norm: how much backward errors of block elimination may exceed those of elimination
  /// with pivots from all of A (Demmel, Higham & Schreiber 1995, "Stability of block LU factorization").
  [[nodiscard]] double amplification() const;

  /// The largest |s_ij - complement_ij| in units of eps times the entry (i, j) of |A22| + |Z| |A12| + |A21| |W| + |Z| |A11| |W|,
  /// Z = A21 A11^-1, W = A11^-1 A12: what perturbations of A by eps in every entry can do. Infinite if an entry is not finite.
  [[nodiscard]] double error(const DenseMatrix<S>& s) const;

  /// The same for b2 - A21 A11^-1 b1.
  [[nodiscard]] double condensed_error(const DenseMatrix<S>& b, const DenseMatrix<S>& condensed) const;

 private:
  using Matrix = test::WideDense<S>;

  std::vector<Index> first_;   // variables of block 1, increasing
  std::vector<Index> second_;  // of block 2
  Matrix a11_;
  Matrix a12_;
  Matrix a21_;
  Matrix a22_;
  Matrix w_;  // A11^-1 A12
  Matrix z_;  // A21 A11^-1
  Matrix complement_;
};

}  // namespace frond::testing
