// SPDX-License-Identifier: BSD-3-Clause
// Decides which matrices are factorized over compressed columns, and keeps what their pattern determines.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/pivots/block_order.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
#include "factorization/thin/sparse_ldlt.hpp"
#include "factorization/thin/sparse_pattern.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/tables/figures.hpp"

namespace frond {

/// What a pattern determines, for all values of the same symmetry.
struct ThinPlan {
  std::vector<Count> column_offsets;            ///< of the pattern, as it was given
  std::vector<Index> row_indices;               ///< likewise
  Symmetry given_symmetry = Symmetry::general;  ///< likewise
  Symmetry symmetry = Symmetry::general;        ///< as which it is treated: general, symmetric or Hermitian
  bool is_paired = false;                       ///< symmetric, with pivots of two variables: see order_pairs()
  Method method = Method::lu;                   ///< for the values that were analysed
  BlockOrder order;                             ///< of a symmetric matrix one block, rows and columns alike but for pairs
  LdltStructure structure;                      ///< of a symmetric matrix without pairs
  std::vector<Index> place_offsets;             ///< the pattern in this order, see SparsePattern and SparseLdlt::factorize()
  std::vector<Index> places;
  std::vector<Index> sources;
  std::size_t num_couplings = 0;    ///< entries above the diagonal blocks
  double most_multiplications = 0;  ///< of updates, for which fronts take as long as predicted

  /// Whether it is factorized as a general matrix.
  [[nodiscard]] bool is_for_lu() const { return symmetry == Symmetry::general || is_paired; }
  [[nodiscard]] SparsePattern pattern() const { return {place_offsets, places, sources}; }
  [[nodiscard]] PatternView given() const {
    const auto n = static_cast<Index>(column_offsets.size()) - 1;
    return {n, n, given_symmetry, column_offsets, row_indices};
  }
  /// Enough memory for so many entries of factors, of any scalars.
  [[nodiscard]] Count bytes(double factor_entries) const;
  /// The bytes that may be used under this limit of the options, or, if that is 0, of what the machine and its limits leave; 0 if
  /// the system is so small that the machine, which takes system calls, need not be asked.
  [[nodiscard]] Count most_bytes(Count limit) const;
  /// Whether this is the pattern that was given, with its entries in the same order.
  [[nodiscard]] bool serves(const PatternView& pattern) const;
};

/// Of a plan for a symmetric matrix: the source of the diagonal entry, the last of its column, which is stored as it is.
[[nodiscard]] inline Index diagonal_source(const SparsePattern& pattern, Index col) {
  return pattern.sources[pattern.offsets[col + 1] - 1];
}

/// The analysis of a thin matrix, and of the same matrix for fronts, which is made when it is first needed. Thread-safe.
class ThinAnalysis {
 public:
  using Analyse = std::function<AnalysisParts(const SolverOptions& options)>;

  /// `analyse` analyses the same matrix for fronts.
  ThinAnalysis(std::shared_ptr<const ThinPlan> plan, SolverOptions options, Place place, Analyse analyse)
      : ThinAnalysis(std::move(plan), std::move(options), std::move(place), std::make_shared<Fronts>(std::move(analyse))) {}

  [[nodiscard]] const ThinPlan& plan() const { return *plan_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }
  [[nodiscard]] const Place& place() const { return place_; }  ///< this process
  [[nodiscard]] Method method() const { return options_.method.value_or(plan_->method); }
  /// Whether these values, of the pattern that was analysed, have the symmetry that the plan is for.
  template <Scalar S>
  [[nodiscard]] bool suits(const MatrixView<S>& matrix) const {
    return treated_symmetry(matrix, options_) == plan_->symmetry;
  }
  [[nodiscard]] const AnalysisParts& for_fronts() const;
  /// Null if these options are none that a thin system can follow.
  [[nodiscard]] std::shared_ptr<const ThinAnalysis> with_options(SolverOptions options) const;

 private:
  // What analyses of the same plan with other options share.
  struct Fronts {
    explicit Fronts(Analyse by) : analyse(std::move(by)) {}

    Analyse analyse;
    std::mutex making;
    std::optional<AnalysisParts> parts;
  };

  ThinAnalysis(std::shared_ptr<const ThinPlan> plan, SolverOptions options, Place place, std::shared_ptr<Fronts> fronts)
      : plan_(std::move(plan)), options_(std::move(options)), place_(std::move(place)), fronts_(std::move(fronts)) {}

  std::shared_ptr<const ThinPlan> plan_;
  SolverOptions options_;
  Place place_;
  std::shared_ptr<Fronts> fronts_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const AnalysisParts> for_fronts_;
};

/// What is predicted of a plan, as of a tree; there are no fronts.
[[nodiscard]] AnalysisFigures analysis_figures(const ThinPlan& plan);
[[nodiscard]] MemoryEstimate estimate_memory(const ThinPlan& plan, Count scalar_bytes);

/// Analyses a matrix at this place, one process, for elimination over columns. Returns null if fronts are predicted to be faster,
/// the options exclude it (FactorizationOptions::thin lists which do), or the matrix is structurally singular, or is symmetric with
/// zeros on the diagonal, or skew-symmetric. The matrix has been checked.
template <Scalar S>
[[nodiscard]] std::shared_ptr<const ThinAnalysis> analyze_thin(const SystemMatrix<S>& matrix, const SolverOptions& options,
                                                               const Place& place);

}  // namespace frond
