// SPDX-License-Identifier: BSD-3-Clause
// Scales of rows and columns, with which a matrix is factorized.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/pivots/block_triangular.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "matrices/products.hpp"

namespace frond {

/// D_r and D_c, powers of 2; both empty when every scale is 1. Equal for symmetric, skew-symmetric and Hermitian matrices.
template <class R>
struct Scaling {
  std::vector<R> rows;
  std::vector<R> cols;
  ScalingKind kind = ScalingKind::none;  ///< that was taken; never `automatic`
  int num_sweeps = 0;                    ///< passes over the entries that changed the scales
};

/// The scaling of the unknowns of op(A) x = b.
template <class R>
[[nodiscard]] std::span<const R> unknown_scaling(const Scaling<R>& scaling, Operation operation) {
  return operation == Operation::plain ? scaling.cols : scaling.rows;
}

// The automatic choice. For one triangle:
//
//   scales from the diagonal, sweeps ──► do they suit the pivots? ── yes ──► take them
//       │ no diagonal leads there            │ no
//       └────────────────────────────────────┤
//   least squares, sweeps ──► matching of all rows found in time? ── yes ──► add its duals, sweeps
//                                            │ no
//                             take the scales from the diagonal, or else those of the least squares
//
// For a general matrix:
//
//   diagonal 1, balanced ──► nothing above 10? ── yes ──► sweeps
//       │ no
//   least squares, then diagonal 1, balanced ──► nothing above 10? ── yes ──► sweeps
//       │ no
//   least squares, sweeps ──► a matching without an entry below 1/10? ── yes ──► take them
//       │ no
//   add the duals of the matching, balance about it, sweeps
//
// Sweeps in the maximum norm stop at one of many fixed points, near their start, and the duals of a matching form a polytope;
// least squares have one minimum, so they go first. Duals also amplify what a singular matrix leaves of its null pivots: they are
// left out where the entries are large enough to pivot on.

/// Scales by which pivots are found whatever the units of equations and unknowns. Scaling the matrix by powers of 2 beforehand
/// changes the result of the first of these ways by nothing, and of the others by little:
///
/// - One triangle is held: from the diagonal, layer by layer (scales_from_diagonal()), then sweeps of equilibrate(), unless that
///   leaves entries below 2^-20, and rows without a strong diagonal find no strong entries for pivots, each in a row of its own: a
///   diagonal over many orders of magnitude, as of saddle points, would hide what tells such rows apart. Then, and where the
///   diagonal does not lead everywhere: from scale_by_least_squares(), sweeps, then the matching with the largest product.
///   Where the structure is singular, or it takes long, the matching is not to be had, and the diagonal leads after all.
/// - General matrices: sweeps from wherever a matrix happens to be can come to maxima of 1 with a small diagonal. So the diagonal
///   is made 1 first, the row of a column being row_of_column[column] if the analysis has matched them, and rows and columns are
///   balanced (balance_about()). If that leaves entries that are much larger, the same is tried from scale_by_least_squares(). If
///   that fails, too, or there are zeros among the diagonal entries, the matching takes the diagonal's place.
///
/// `equilibrate` leaves the matching out, and so does `automatic` of one triangle where it would take long; that of a general
/// matrix is the best one only where that takes time in proportion to the entries. `matching` leaves the diagonal of general
/// matrices out, and takes the matching of symmetric ones, too. Entries below the rounding unit of an equilibrated matrix are not
/// matched; where some columns of a general matrix cannot be, their scales follow from those of the others.
///
/// Where `blocks` splits, the entries within levels are scaled, which alone are factorized, and levels are moved against each
/// other so that no coupling is above 1 (shift_levels()).
///
/// Scales keep away from the ends of the range of R, so that neither they nor scaled entries overflow.
template <Scalar S>
[[nodiscard]] Scaling<RealOf<S>> find_scaling(const MatrixView<S>& matrix, const ScalingOptions& options,
                                              std::span<const Index> row_of_column = {}, const BlockTriangularForm& blocks = {});

/// Scales by the exponents of their powers of 2, whatever precision they will have.
struct ScaleExponents {
  std::vector<std::int16_t> rows;
  std::vector<std::int16_t> cols;  ///< empty where they are those of the rows: unless the matrix is general
  ScalingKind kind = ScalingKind::none;
  int num_sweeps = 0;
};

/// The scales of one matrix, one matching of its rows and one block triangular form, that have been found so far, with the same
/// options but for the kind.
class FoundScales {
 public:
  using Map = std::map<ScalingKind, std::shared_ptr<const ScaleExponents>>;  ///< [kind that was asked for]

  FoundScales() = default;
  explicit FoundScales(Map found) : found_(std::move(found)) {}

  [[nodiscard]] const Map& found() const { return found_; }

  /// Those of the kind that is asked for, as find_scaling() finds them, unless they were found before, be it on the way to another
  /// kind.
  template <Scalar S>
  [[nodiscard]] Scaling<RealOf<S>> of_kind(const MatrixView<S>& matrix, const ScalingOptions& options,
                                           std::span<const Index> row_of_column = {}, const BlockTriangularForm& blocks = {});

 private:
  Map found_;
};

/// Whether a factorization in F may flush subnormals: those of single precision, of matrices whose entries are made about 1.
template <Scalar F>
[[nodiscard]] constexpr bool may_flush_subnormals(const ScalingOptions& options) {
  return std::is_same_v<RealOf<F>, float> && options.kind != ScalingKind::none && options.max_sweeps > 0;
}

}  // namespace frond
