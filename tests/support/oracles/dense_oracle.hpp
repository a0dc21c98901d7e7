// SPDX-License-Identifier: BSD-3-Clause
// Multiplies factors out densely, from the layout that factorization/factors.hpp documents.
#pragma once

#include <span>
#include <vector>

#include "factorization/factors.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "tests/dense/wide_scalar.hpp"

namespace frond::test {

/// The sum of the products L D op(L)^T (LU: N^T M^T) of fronts and of their remainders, in new variable numbers. Every pivot of
/// every front is one term of A = sum_k l_k w_k^T, so fronts may be added in any order that puts children before parents.
template <Scalar S>
class DenseOracle {
 public:
  explicit DenseOracle(Index order);

  /// Adds the eliminated columns of a front; children before parents. `cb_rows` are the variables of the positions p .. m-1.
  void add_front(Method method, const FrontFactor<S>& front, std::span<const Index> cb_rows);

  /// Adds the remainder of a front: the delayed rows and columns, and the contribution block.
  void add_remainder(Method method, const FrontFactor<S>& front, std::span<const Index> cb_rows, const PanelLayout& cb_layout,
                     const S* cb);

  /// Returns the largest entry of |A - sum| in units of n eps times the largest term-by-term magnitude that an entry of the sum can
  /// have (by Cauchy-Schwarz, terms balanced). Infinite if a value is not finite, if a pivot occurs twice, or if its column reaches
  /// a variable that was eliminated before.
  [[nodiscard]] double error(const DenseMatrix<S>& a) const;

  /// Largest |l_ij| (LU: |m_ij|) below the diagonal so far.
  [[nodiscard]] double largest_multiplier() const { return largest_multiplier_; }

  [[nodiscard]] Index num_eliminated() const { return num_eliminated_; }

  /// The sum itself: factors with the same bits give the same bits.
  [[nodiscard]] const DenseMatrix<Wide<S>>& sum() const { return sum_; }

  /// The sum of the remainders.
  [[nodiscard]] const DenseMatrix<Wide<S>>& remainder() const { return remainder_; }

 private:
  struct Terms;

  void add_terms(const Terms& terms, std::span<const Index> row_variables, std::span<const Index> col_variables);
  void note_pivots(std::span<const Index> variables, Index num_pivots, std::vector<char>& eliminated);

  DenseMatrix<Wide<S>> sum_;
  DenseMatrix<Wide<S>> remainder_;
  std::vector<double> row_weights_;  // [i] = sum over the terms of |l_ik|^2 w_k
  std::vector<double> col_weights_;  // [j] = sum over the terms of |w_kj|^2 / w_k, w_k = max_j |w_kj|
  std::vector<char> rows_eliminated_;
  std::vector<char> cols_eliminated_;
  bool is_ordered_ = true;
  double largest_multiplier_ = 0;
  Index num_eliminated_ = 0;
};

/// Multiplies out all fronts.
template <Scalar S>
[[nodiscard]] DenseOracle<S> multiply_out(const Factors<S>& factors);

/// P D_r A D_c P^T, dense, for the permutation and scalings of the factors.
template <Scalar S>
[[nodiscard]] DenseMatrix<S> permuted_matrix(const Factors<S>& factors, const MatrixView<S>& a);

/// Counts of positive, negative and (below `tolerance` times the largest) zero eigenvalues of a symmetric or Hermitian matrix.
struct EigenvalueSigns {
  Index positive = 0;
  Index negative = 0;
  Index zero = 0;
};
template <Scalar S>
[[nodiscard]] EigenvalueSigns eigenvalue_signs(const DenseMatrix<S>& a, double tolerance);

}  // namespace frond::test
