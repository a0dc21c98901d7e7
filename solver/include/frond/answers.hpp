// SPDX-License-Identifier: BSD-3-Clause
// Results other than solutions: entries of the inverse, null spaces, single factors.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <frond/dense.hpp>
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

/// How entries of the inverse are computed.
enum class InverseAccuracy {
  direct,  ///< from the factors alone, along the paths of the tree that lead to them. A few columns are checked; if one of them
           ///< misses the target, or static pivoting has perturbed pivots, all columns are refined
  refined  ///< from columns of the inverse that are solved for and refined like any solution: all are checked, and no work is saved
};

/// Entries of A^-1 and their accuracy. For a pattern with the positions (0, 0), (2, 0) and (1, 1), in this order,
///
///   values = {(A^-1)_00, (A^-1)_20, (A^-1)_11}
///
/// Each is an entry of a column x of the inverse that solves A x = e up to the reported backward error. So the relative error of
/// the column is about that times the condition number of A, and small entries of a column may have fewer digits than large ones.
template <Scalar S>
struct FROND_API InverseEntries {
  std::vector<S> values;              ///< in the order of the pattern; NaN if there is no inverse
  Verdict verdict = Verdict::solved;  ///< of the columns that were checked; unmeasured: none, see RefinementOptions::measures
  double target = 0;                  ///< see SolveReport
  double backward_error = 0;          ///< the largest normwise one of the columns that were checked; NaN: nothing is measured
  Index num_checked = 0;              ///< columns
  Index num_columns = 0;              ///< of the inverse, in which entries were requested
  bool is_refined = false;            ///< all columns were refined, as with InverseAccuracy::refined

  [[nodiscard]] std::string describe() const;  ///< one sentence
};

/// A basis Z of the vectors z with op(A) z = 0.
///
/// Its columns are orthonormal to a few eps, and there are as many as the factorization has null pivots. Their accuracy is given by
/// backward_errors: where the matrix is singular up to rounding errors, that is a few eps; where it merely has pivots below the
/// null threshold, it is about their size, and so are the singular values that belong to Z.
template <Scalar S>
struct FROND_API NullSpace {
  DenseMatrix<S> basis;  ///< order x dimension; no column if the matrix is not singular, or is_known is false. Ranks other than the
                         ///< first have its sizes and no entries
  std::vector<double> backward_errors;  ///< [column]: ||op(A) z|| / (||A|| ||z||), maximum norms
  bool is_known = true;                 ///< false: the matrix is singular, or may be, but there are no factors to find a basis with
  std::string note;                     ///< a sentence for the user if the basis is not what one would expect; otherwise empty

  [[nodiscard]] Index dimension() const { return basis.num_cols; }  ///< of the null space
  [[nodiscard]] double worst_backward_error() const;                ///< 0 without a column
};

/// A = lower * diagonal * upper: see FactorOrder.
enum class FactorPart { lower, diagonal, upper };

/// Describes the factors. Rows of `lower` are rows of A, columns of `upper` are columns of A, and in between are pivots. With
/// k = 0, 1, ... in the order of elimination
///
///   lower(rows[k], pivots[l])     = L(k, l) / row_scaling[rows[k]]        L lower triangular
///   diagonal(pivots[k], pivots[l]) = D(k, l)                              D of 1x1 and 2x2 blocks
///   upper(pivots[k], cols[l])     = U(k, l) / col_scaling[cols[l]]        U upper triangular
///
///   Cholesky   U = L^H, D = I
///   LDLT       U = L^T, L with unit diagonal; LDLH: U = L^H
///   LU         D = I; the diagonal of U is 1, or that of L for a matrix that was given by rows
///
/// So arrays that belong to pivots have as many entries as A has rows, in the order of the rows: `pivots[k]` is the position of the
/// k-th pivot. For the symmetric methods rows, columns and pivots are the same; for LU a pivot is named by its row (by its column
/// if A was given by rows).
///
/// For A = [0 2; 3 1] by LU, whose first pivot is 2, of row 0 and column 1, and whose second is 3, of row 1 and column 0:
///
///   rows = pivots = {0, 1},  cols = {1, 0}:    [ 0 2 ]   [ 2 0 ]   [ 0 1 ]
///                                              [ 3 1 ] = [ 1 3 ] * [ 1 0 ]    lower * upper, no scales
///
/// The diagonal of a singular matrix has zeros for null pivots. Solves use a generalized inverse, which has zeros there, too.
template <Scalar S>
struct FactorOrder {
  std::vector<Index> pivots;           ///< each is 0-based and has the order's length
  std::vector<Index> rows;             ///< rows[k] is the row of pivot k
  std::vector<Index> cols;             ///< cols[k] is the column of pivot k
  std::vector<RealOf<S>> row_scaling;  ///< by rows of A; empty: ones
  std::vector<RealOf<S>> col_scaling;  ///< by columns of A; empty: ones
};

/// A grid of the first ranks, row by row: rank r is at (r / num_cols, r % num_cols), as BLACS numbers them by rows. Row i of a
/// matrix belongs to row i / block_size % num_rows of the grid, and columns likewise:
///
///   6 rows in blocks of 2 over 2 rows of a grid:   0 1 4 5 | 2 3
struct SchurGrid {
  Index block_size = 64;  ///< of the square blocks that are dealt out
  Rank num_rows = 0;      ///< both 0: all ranks, as nearly square as possible
  Rank num_cols = 0;      ///< with num_rows
};

/// One rank's part of a Schur complement on a grid, in ScaLAPACK's layout: all entries, also where it is symmetric.
template <Scalar S>
struct SchurPart {
  SchurGrid grid;           ///< as it was made
  Index order = 0;          ///< of the whole Schur complement
  bool is_in_grid = false;  ///< false: this rank holds nothing, and is at no position
  Rank row = 0;             ///< of this rank in the grid
  Rank col = 0;             ///< likewise
  Index num_rows = 0;       ///< of its part
  Index num_cols = 0;       ///< likewise
  std::vector<S> entries;   ///< column-major, num_rows x num_cols

  /// ScaLAPACK's array descriptor DESC_ of the whole in the given BLACS context; -1 as context where the rank is not in the grid.
  [[nodiscard]] std::array<int, 9> descriptor(int blacs_context) const {
    constexpr int kDenseMatrix = 1;
    const int context = is_in_grid ? blacs_context : -1;
    const int leading_dimension = num_rows > 1 ? num_rows : 1;  // ScaLAPACK does not allow 0
    return {kDenseMatrix, context, order, order, grid.block_size, grid.block_size, 0, 0, leading_dimension};
  }
};

}  // namespace frond
