// SPDX-License-Identifier: BSD-3-Clause
// Finds the scales of rows and columns for the factorization.
#pragma once

#include <cstdint>
#include <limits>
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
  ScalingKind kind = ScalingKind::none;  ///< that was used; never `automatic`
  int num_sweeps = 0;                    ///< passes over the entries that changed the scales
};

/// What is asked for.
struct ScalingOptions {
  ScalingKind kind = ScalingKind::automatic;
  std::span<const double> rows = {};  ///< of ScalingKind::given
  std::span<const double> cols = {};  ///< of ScalingKind::given, as SolverOptions::col_scales
};

[[nodiscard]] inline ScalingOptions scaling_options(const SolverOptions& options) {
  return {options.scaling, options.row_scales, options.col_scales};
}

/// The scaling of the unknowns of op(A) x = b.
template <class R>
[[nodiscard]] std::span<const R> unknown_scaling(const Scaling<R>& scaling, Operation operation) {
  return operation == Operation::plain ? scaling.cols : scaling.rows;
}

/// The scale of a row or column, in a list that is empty where all are 1.
template <class R>
[[nodiscard]] R scale_of(std::span<const R> scales, Index k) {
  return scales.empty() ? R(1) : scales[static_cast<std::size_t>(k)];
}

/// Scales that make the choice of pivots independent of the units of equations and unknowns. Scaling the matrix by powers of 2
/// beforehand does not change the result of the first of these methods, and changes that of the others little:
///
/// - One triangle is stored: from the diagonal, layer by layer (scales_from_diagonal()), then sweeps of equilibrate(), unless that
///   leaves entries below 2^-20, and rows without a strong diagonal find no strong entries for pivots, each in a row of its own: a
///   diagonal over many orders of magnitude, as in saddle point problems, would hide what distinguishes such rows. In that case,
///   and if the diagonal does not reach all rows: from scale_by_least_squares(), sweeps, then the matching with the largest
///   product; where some entries come out below the rounding unit, once more without those that the best matching of all entries
///   makes as small, which would draw scales away from the others. If the structure is singular, or the matching takes long, it is
///   not available, and the diagonal is used after all.
/// - General matrices: sweeps from arbitrary scales can give maxima of 1 with a small diagonal. So the diagonal is made 1 first,
///   the row of a column being row_of_column[column] if the analysis has matched them, and rows and columns are
///   balanced (balance_about()). If that leaves much larger entries, the same is tried from scale_by_least_squares(). If that also
///   fails, or there are zeros among the diagonal entries, the matching is used instead of the diagonal.
///
/// `equilibrate` omits the matching, and so does `automatic` for one triangle if it would take long; for a general matrix the
/// matching is optimal only if that takes time in proportion to the entries. `matching` omits the diagonal of general matrices, and
/// also uses the matching for symmetric ones. Entries below the rounding unit of an equilibrated matrix are not matched; if some
/// columns of a general matrix cannot be matched, their scales follow from those of the others.
///
/// If `blocks` splits, only the entries within levels are scaled, since only they are factorized, and levels are shifted relative
/// to each other so that no coupling is above 1 (shift_levels()).
///
/// Scales keep away from the ends of the range of R, so that neither they nor scaled entries overflow.
template <Scalar S>
[[nodiscard]] Scaling<RealOf<S>> find_scaling(const MatrixView<S>& matrix, const ScalingOptions& options,
                                              std::span<const Index> row_of_column = {}, const BlockTriangularForm& blocks = {});

/// Scales by the exponents of their powers of 2, whatever precision they will have.
struct ScaleExponents {
  std::vector<std::int16_t> rows;
  std::vector<std::int16_t> cols;  ///< empty if equal to those of the rows: unless the matrix is general
  ScalingKind kind = ScalingKind::none;
  int num_sweeps = 0;
};

/// The scales found so far for one matrix, one matching of its rows and one block triangular form, with the same options except for
/// the kind.
class FoundScales {
 public:
  using Map = std::map<ScalingKind, std::shared_ptr<const ScaleExponents>>;  ///< [requested kind]

  FoundScales() = default;
  explicit FoundScales(Map found) : found_(std::move(found)) {}

  [[nodiscard]] const Map& found() const { return found_; }

  /// Those that serve a matrix of other values as well: of each row and each column the largest scaled magnitude is within a factor
  /// of 8 of 1. O(entries).
  template <Scalar S>
  [[nodiscard]] FoundScales kept_for(const MatrixView<S>& matrix) const;
  [[nodiscard]] bool are_kept() const { return are_kept_; }  ///< some were found for other values

  /// Whether delayed pivots have been expensive in a factorization with such scales, and a lowered pivot threshold was not in vain;
  /// also known for a matrix of other values.
  [[nodiscard]] bool have_dear_delays() const { return flops_with_delays_ > 0; }
  [[nodiscard]] bool know_delays() const { return have_dear_delays() || is_lowering_vain_; }
  /// The flops with the usual threshold, infinite if that has been abandoned.
  void note_dear_delays(double flops = std::numeric_limits<double>::infinity()) {
    flops_with_delays_ = is_lowering_vain_ ? flops_with_delays_ : flops;
  }
  /// The flops with the lowered threshold, which is in vain unless it halves them.
  void note_lowered_threshold(double flops) {
    is_lowering_vain_ = is_lowering_vain_ || 2 * flops > flops_with_delays_;
    flops_with_delays_ = is_lowering_vain_ ? 0 : flops_with_delays_;
  }

  /// Returns the scales of the requested kind, from find_scaling() unless they were found before.
  template <Scalar S>
  [[nodiscard]] Scaling<RealOf<S>> of_kind(const MatrixView<S>& matrix, const ScalingOptions& options,
                                           std::span<const Index> row_of_column = {}, const BlockTriangularForm& blocks = {});

 private:
  Map found_;
  bool are_kept_ = false;
  double flops_with_delays_ = 0;  // 0: they are not known to be expensive
  bool is_lowering_vain_ = false;
};

/// Whether a factorization in F may flush subnormals: in single precision, if scaling brings the entries to about 1.
template <Scalar F>
[[nodiscard]] constexpr bool may_flush_subnormals(ScalingKind scaling) {
  return std::is_same_v<RealOf<F>, float> && scaling != ScalingKind::none;
}

}  // namespace frond
