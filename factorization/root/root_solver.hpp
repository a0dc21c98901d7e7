// SPDX-License-Identifier: BSD-3-Clause
// The interface through which the root on a grid (type 3) is factorized and solved with.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "factorization/distributed/root_layout.hpp"
#include "factorization/kernels/blas.hpp"
#include "frond/factorization_report.hpp"
#include "matrices/products.hpp"

namespace frond {

enum class RootStatus : std::uint8_t {
  success,
  not_positive_definite,  ///< Cholesky: there are no factors
  rejected                ///< LU met a pivot that counts as zero: the root must be factorized again, rank-revealing, on one rank
};

/// The outcome of a root, the same on all ranks of its grid. Positions are those in the root.
struct RootOutcome {
  RootStatus status = RootStatus::success;
  Index failed_pivot = -1;  ///< the first one that is not positive (Cholesky) or counts as zero (LU: of that row of A)
  double smallest_pivot = std::numeric_limits<double>::infinity();  ///< magnitude, of L_kk^2 for Cholesky
  Index smallest_pivot_position = -1;                               ///< LU: row of A
  Determinant determinant;                                          ///< of what was on the grid

  RootOutcome& operator+=(const RootOutcome& other);  ///< of other pivots
  friend bool operator==(const RootOutcome&, const RootOutcome&) = default;
};

/// The factors of op(A) = F1 F2 to solve with:
///
///   Cholesky       A     F1 = L, F2 = L^H
///   LU             A     F1 = N^T, F2 = M^T P
///   LU             A^T   F1 = P^T M, F2 = N
///
/// Vectors between them belong to pivots, in the positions of their rows of A.
enum class RootFactors : std::uint8_t { both, first, second };

// Implementations of this port:
//
//   ScalapackRoot          over MPI: GridCholesky; LU and solves by ScaLAPACK, on a communicator of the grid's ranks
//   make_gathered_roots()  in tests, for ranks of one process: the last one to call gathers the parts, and LAPACK does the work

/// One rank's access to the root on the grid; every rank of the grid has one, and no other rank. The matrix on the grid is A, of
/// which the lower triangle counts (Cholesky, A = L L^H), or B = A^T (LU). LU takes the largest entry of each column of B, which is
/// a row of A, for its pivot and exchanges rows of B: P B = M N as FrontFactor describes it, with no exchanges of columns.
///
/// The calls are collective: each is made by all ranks of the grid, in the same order. A call may block until all of them have made
/// it, so no rank makes one before all are known to be ready for it. `then` is called once the work is done, perhaps before the
/// call returns, perhaps by another rank's call; it comes after everything that the call writes. Where a call throws on one rank,
/// for lack of memory for example, `then` is called on none: the others learn of it from the messages of the engine.
///
/// The order on every rank of the grid:
///
///   1. All children have announced: with the delayed pivots the order of the root is known, and so is its RootLayout. The rank
///      takes memory for its part, sets it to zero, adds entries of A (add_root_entries) and, as they come, of children
///      (RootPiece).
///   2. All contributions have arrived. For LU the rank makes a copy of its part. It votes, by a message, that it is ready.
///   3. All ranks of the grid are ready: factorize(), as one task.
///   4. `success`: the part has become the factors and stays where it is; the copy can go.
///      `not_positive_definite`: the factorization ends with that outcome, its variable being that of failed_pivot.
///      `rejected`: the first rank takes memory for the whole matrix; when it has it, all call gather() with their copies. The root
///      then is a front of type 1 on the first rank, with p = m = order and `lower` = the whole matrix: LuKernel eliminates it as
///      any root, by complete pivoting at the end, and its FrontFactor is among the factors of the first rank. The parts can go.
///   5. After success, for each block of right-hand sides: when the first rank has the right-hand side in the root's positions, and
///      all ranks know of it, solve(); where both factors are solved with, forward and backward substitution are this one call.
template <Scalar S>
class RootSolver {
 public:
  virtual ~RootSolver() = default;

  /// Factorizes in place.
  virtual void factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) = 0;

  /// Gathers the matrix, column-major without gaps, in `whole` on the first rank; the others may pass nullptr.
  virtual void gather(const RootPart<S>& part, S* whole, std::function<void()> then) = 0;

  /// Replaces any of the other calls: this rank has failed after it was known to be ready, and the others' calls return without
  /// calling `then`.
  virtual void abandon() = 0;

  /// LU, after factorize(): [i] = the row of B with which the i-th row of this rank's part was exchanged when its pivot was chosen,
  /// counted in the root. Not collective; empty for Cholesky.
  [[nodiscard]] virtual std::vector<Index> exchanges() const = 0;

  /// Replaces factorize() for a part that holds factors made elsewhere, their rows in the order of the pivots. Not collective, but
  /// called on all ranks before the first solve(). Throws as factorize().
  virtual void adopt(const RootPart<S>& part) = 0;

  /// b := op(A)^-1 b, or F1^-1 b, or F2^-1 b. The entries are those of the first rank; the others pass the same sizes. For op(A) =
  /// A, b comes by rows of A and x by columns of A, in the positions before pivoting.
  virtual void solve(RootFactors factors, Operation operation, DenseView<S> b, std::function<void()> then) = 0;
};

/// Examines those of the first `num_pivots` pivots that this rank holds, after factorization. A pivot up to `null_pivot` counts as
/// zero. Exchanges of rows are not in the determinant.
template <Scalar S>
[[nodiscard]] RootOutcome examine_pivots(Method method, RealOf<S> null_pivot, const RootPart<S>& part, Index num_pivots);

/// Returns the largest entry of N that this rank holds, after LU; complex entries by |re| + |im| (kernels/pivot_growth.hpp).
template <Scalar S>
[[nodiscard]] RealOf<S> largest_pivot_entry(const RootPart<S>& part);

/// Returns the outcome of Cholesky when pivot `position` was not positive.
[[nodiscard]] RootOutcome not_positive_definite_at(Index position);

/// op(A)^-1 b by the factors of the matrix on the grid, G = A or A^T: op_on_grid(G)^-1 b, or with conjugation conj(G'^-1 conj(b)),
/// G' being op_on_grid(G).
struct GridOperation {
  blas::Op op_on_grid = blas::Op::none;
  bool is_conjugated = false;
};
[[nodiscard]] GridOperation grid_operation(Method method, Operation operation);

/// The triangle of the matrix on the grid that is a factor, and whether rows are exchanged on its side.
struct RootTriangle {
  blas::Triangle triangle = blas::Triangle::lower;
  blas::Op op = blas::Op::none;
  blas::Diagonal diagonal = blas::Diagonal::stored;
  bool exchanges_before = false;  ///< as they were exchanged in the factorization
  bool exchanges_after = false;   ///< back again
};

/// Return the triangles of the two factors of op_on_grid(G) = F1 F2.
[[nodiscard]] RootTriangle first_triangle(Method method, blas::Op op_on_grid);
[[nodiscard]] RootTriangle second_triangle(Method method, blas::Op op_on_grid);

/// B := conj(B).
template <Scalar S>
void conjugate_entries(DenseView<S> b);

}  // namespace frond
