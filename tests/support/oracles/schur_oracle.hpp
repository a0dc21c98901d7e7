// SPDX-License-Identifier: BSD-3-Clause
// Computes Schur complements by LAPACK in double precision, with the errors that a backward stable elimination may have.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"

namespace frond::testing {

using WideMatrix = DenseMatrix<std::complex<double>>;

/// A = [A11 A12; A21 A22] with block 2 = `variables` in their order, eliminated by LAPACK.
class SchurOracle {
 public:
  /// A11 must be regular.
  template <Scalar S>
  SchurOracle(const DenseMatrix<S>& a, std::span<const Index> variables);

  [[nodiscard]] const WideMatrix& complement() const { return complement_; }  ///< A22 - A21 A11^-1 A12

  /// (1 + ||Z||) (1 + ||W||) in the maximum norm: how much backward errors of block elimination may exceed those of elimination
  /// with pivots from all of A (Demmel, Higham & Schreiber 1995, "Stability of block LU factorization").
  [[nodiscard]] double amplification() const;

  /// b2 - A21 A11^-1 b1
  template <Scalar S>
  [[nodiscard]] WideMatrix condensed(const DenseMatrix<S>& b) const;

  /// The largest |s_ij - complement_ij| in units of eps times the entry (i, j) of |A22| + |Z| |A12| + |A21| |W| + |Z| |A11| |W|,
  /// Z = A21 A11^-1, W = A11^-1 A12: what perturbations of A by eps in every entry can do. Infinite if an entry is not finite.
  template <Scalar S>
  [[nodiscard]] double error(const DenseMatrix<S>& s) const;
  template <Scalar S>
  [[nodiscard]] double condensed_error(const DenseMatrix<S>& b, const DenseMatrix<S>& condensed) const;

 private:
  [[nodiscard]] WideMatrix block(std::span<const Index> rows, std::span<const Index> cols) const;

  WideMatrix a_;
  std::vector<Index> first_;   // variables of block 1, increasing
  std::vector<Index> second_;  // of block 2
  WideMatrix w_;               // A11^-1 A12
  WideMatrix z_;               // A21 A11^-1
  WideMatrix complement_;
};

/// A^-1 B by LAPACK.
[[nodiscard]] WideMatrix solve_by_lapack(WideMatrix a, WideMatrix b);

template <Scalar S>
[[nodiscard]] WideMatrix widened(const DenseMatrix<S>& matrix);
template <Scalar S>
[[nodiscard]] DenseMatrix<S> narrowed(const WideMatrix& matrix);

}  // namespace frond::testing
