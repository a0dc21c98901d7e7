// SPDX-License-Identifier: BSD-3-Clause
// A system that is factorized and solved over compressed columns.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "frond/options.hpp"
#include "frond/report.hpp"
#include "solver/numerics/sweeps/idle_pool.hpp"
#include "solver/numerics/sweeps/sweep.hpp"
#include "solver/thin/column_errors.hpp"
#include "solver/thin/thin_analysis.hpp"
#include "solver/thin/thin_factors.hpp"

namespace frond {

/// Factors by which systems are solved as accurately as the course demands, and whose pivots give no reason to ask for the rank.
/// Otherwise nothing is returned, and the course is to decide. Any number of threads may solve at the same time.
template <Scalar S>
class ThinSystem {
 public:
  using R = RealOf<S>;

  /// The arrays of `matrix` must outlive this object. Null if the matrix is not of the pattern that was analysed, its values are
  /// not finite, or have another symmetry, or the pivots ask for the course.
  [[nodiscard]] static std::unique_ptr<ThinSystem> factorize(std::shared_ptr<const ThinAnalysis> analysis,
                                                             const SystemMatrix<S>& matrix);

  /// Takes other values of the same entries, all finite. Pivots and scales are kept as long as ThinFactors::refactorize() succeeds;
  /// otherwise both are found anew. Returns false, without usable factors, where factorize() returns null.
  [[nodiscard]] bool refactorize(std::span<const S> values);

  /// Solves op(A) X = B for the user's A; nothing, and anything in X, if some x is not accurate, unless refinement or measuring is
  /// switched off.
  /// Throws as Factorization::solve() does.
  [[nodiscard]] std::optional<SolveReport> solve(DenseView<const S> b, DenseView<S> x, Operation operation) const;

  /// Entries of the inverse of the user's A, as Factorization::inverse_entries(); nothing if they are not accurate, or lie in more
  /// columns than a block of solves has.
  [[nodiscard]] std::optional<InverseEntries<S>> inverse_entries(const PatternView& pattern) const;

  void set_refinement(const RefinementOptions& refinement) { refinement_ = refinement; }

  [[nodiscard]] const std::shared_ptr<const ThinAnalysis>& analysis() const { return analysis_; }
  [[nodiscard]] const SystemMatrix<S>& matrix() const { return matrix_; }
  [[nodiscard]] const ThinFactors<S>& factors() const { return *factors_; }
  [[nodiscard]] const RefinementOptions& refinement() const { return refinement_; }
  [[nodiscard]] Count num_kept_pivots() const { return num_kept_pivots_; }  ///< from the factorization before

  /// How the system was factorized; made at the first call after a factorization, in O(entries of the factors).
  [[nodiscard]] const SystemReport& report() const;

 private:
  // For one column, or kSideLanes; arrays that are not needed are empty.
  struct Memory {
    std::vector<S> b;
    std::vector<S> x;
    std::vector<S> sweep;
    std::vector<QuickSums<S>> sums;  // and the rest for one
    std::vector<S> candidate;
    std::vector<S> residual;
  };

  ThinSystem(std::shared_ptr<const ThinAnalysis> analysis, const SystemMatrix<S>& matrix);
  [[nodiscard]] bool find_factors();
  [[nodiscard]] bool measures() const;
  [[nodiscard]] bool accept();
  [[nodiscard]] bool are_pivots_large_if_scaled() const;
  [[nodiscard]] bool prove_rank();
  [[nodiscard]] std::optional<ColumnReport> refine(Operation operation, std::span<const S> b, std::span<S> x, Memory& memory) const;
  [[nodiscard]] std::optional<ColumnReport> refine_quickly(bool is_transposed, std::span<const S> b, std::span<S> x,
                                                           Memory& memory) const;
  [[nodiscard]] ColumnReport measured(Operation operation, std::span<const S> b, std::span<const S> x) const;
  [[nodiscard]] ColumnReport solve_as_the_course(Operation operation, std::span<const S> b, std::span<S> x) const;
  void sweep(const Sweep<S>& asked) const;

  std::shared_ptr<const ThinAnalysis> analysis_;
  SystemMatrix<S> matrix_;
  RefinementOptions refinement_;
  std::unique_ptr<ThinFactors<S>> factors_;
  Count num_kept_pivots_ = 0;
  mutable std::array<std::atomic<R>, 2> norms_;  // of A and of its transposed; below 0: not known yet
  mutable IdlePool<Memory> memory_;
  mutable IdlePool<SelectedPivots<S>> selected_;
  mutable std::mutex reporting_;
  mutable SystemReport report_;  // its counts are made when they are first asked for
  mutable bool has_counts_ = false;
};

}  // namespace frond
