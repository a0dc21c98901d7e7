// SPDX-License-Identifier: BSD-3-Clause
// Eliminates part of a single front, a dense matrix, by the kernel of a method.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "factorization/kernels/front_kernel.hpp"
#include "factorization/scheduling/task_pool.hpp"
#include "frond/dense.hpp"
#include "tests/support/oracles/dense_oracle.hpp"

namespace frond::test {

/// Dense matrices that lead the pivot search into its corners. p is the number of fully summed variables.
enum class FrontKind {
  random,         ///< entries in [-1, 1]
  dominant,       ///< random, with a large positive diagonal
  zero_diagonal,  ///< random, the fully summed diagonal zero
  zero_block,     ///< random, the fully summed block zero
  saddle,         ///< random, the second half of the fully summed block zero
  tiny_block,     ///< random, the fully summed block times 1e-5
  tiny_columns,   ///< random, every third fully summed row and column times 1e-5 inside the fully summed block
  graded,         ///< random, entry (i, j) times s_i s_j, s falling over twelve decades (six in single precision)
  low_rank,       ///< small integers, of rank (m + 1) / 2
  zero_columns,   ///< random, every fourth fully summed row and column zero
  zero            ///< all zero
};
inline constexpr FrontKind kIndefiniteKinds[] = {FrontKind::random,       FrontKind::dominant, FrontKind::zero_diagonal,
                                                 FrontKind::zero_block,   FrontKind::saddle,   FrontKind::tiny_block,
                                                 FrontKind::tiny_columns, FrontKind::graded,   FrontKind::low_rank,
                                                 FrontKind::zero_columns, FrontKind::zero};
[[nodiscard]] std::string name_of(FrontKind kind);

template <Scalar S>
[[nodiscard]] DenseMatrix<S> front_matrix(FrontKind kind, Symmetry symmetry, Index order, Index num_fully_summed,
                                          std::uint64_t seed);

/// Returns the symmetry of a method's matrices.
[[nodiscard]] Symmetry symmetry_of(Method method);

/// Returns the tolerances that factorize() uses for this matrix.
template <Scalar S>
[[nodiscard]] PivotTolerances<RealOf<S>> default_tolerances(const DenseMatrix<S>& matrix, double pivot_threshold = 0.01);

/// A front with its memory. Parts that the layout leaves unused hold signalling NaNs. Variables are numbered by their positions
/// before elimination.
template <Scalar S>
class SingleFront {
 public:
  SingleFront(Method method, DenseMatrix<S> matrix, Index num_fully_summed);
  SingleFront(const SingleFront&) = delete;
  SingleFront& operator=(const SingleFront&) = delete;

  /// Eliminates and updates the contribution block: on the calling thread, or as jobs of `pool` if there is one.
  void eliminate(const PivotTolerances<RealOf<S>>& tolerances, bool is_root, TaskPool* pool = nullptr);

  [[nodiscard]] DenseOracle<S> multiply_out() const;
  [[nodiscard]] double error() const { return multiply_out().error(matrix_); }

  /// True if everything that factors.hpp gives a meaning to has the same bits in both.
  [[nodiscard]] bool equals(const SingleFront& other) const;

  [[nodiscard]] FrontFactor<S>& factor() { return factor_; }
  [[nodiscard]] const FrontFactor<S>& factor() const { return factor_; }
  [[nodiscard]] std::vector<S>& contribution() { return contribution_; }
  [[nodiscard]] const PanelLayout& cb_layout() const { return cb_layout_; }
  [[nodiscard]] const PivotCounts& counts() const { return counts_; }
  [[nodiscard]] const DenseMatrix<S>& matrix() const { return matrix_; }

 private:
  void fill();
  [[nodiscard]] std::vector<S> meaningful_entries() const;

  Method method_;
  DenseMatrix<S> matrix_;
  FrontFactor<S> factor_;
  PanelLayout cb_layout_;
  std::vector<S> lower_;
  std::vector<S> upper_;
  std::vector<S> d_;
  std::vector<S> contribution_;
  std::vector<PivotKind> pivots_;
  std::vector<Index> row_variables_;
  std::vector<Index> col_variables_;
  PivotCounts counts_;
};

}  // namespace frond::test
