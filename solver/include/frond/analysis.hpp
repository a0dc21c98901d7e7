// SPDX-License-Identifier: BSD-3-Clause
// The symbolic analysis of a matrix: everything that is determined before elimination starts.
#pragma once

#include <memory>

#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/place.hpp>
#include <frond/types.hpp>

namespace frond {

struct AnalysisParts;
class ThinAnalysis;

/// The elimination order of a matrix, its assembly tree, and the options to solve it with. It serves all matrices with the same
/// pattern and symmetry. Immutable, and cheap to copy.
class FROND_API Analysis {
 public:
  explicit Analysis(AnalysisParts parts);                       ///< for internal use
  explicit Analysis(std::shared_ptr<const ThinAnalysis> thin);  ///< for internal use

  [[nodiscard]] const SolverOptions& options() const;  ///< that it was made with
  /// The method chosen for the matrix, see SolverOptions::method. It is chosen anew for other values.
  [[nodiscard]] Method method() const;

  /// The same with other options. The analysis itself is kept, so options.analysis is ignored. To switch between LU and another
  /// method the matrix has to be analysed again.
  [[nodiscard]] Analysis with_options(SolverOptions options) const;
  /// The same for other values, for which a method is chosen; a general matrix that these have made symmetric, or no longer so, is
  /// analysed again. Throws UsageError if the matrix does not fit: for another order or symmetry, or an entry that was not
  /// analysed.
  template <Scalar S>
  [[nodiscard]] Analysis with_values(const SystemMatrix<S>& matrix) const;

  [[nodiscard]] Symmetry symmetry() const;           ///< as which matrices are factorized
  [[nodiscard]] const Place& place() const;          ///< where matrices of this pattern are factorized
  [[nodiscard]] const AnalysisParts& parts() const;  ///< for internal use
  [[nodiscard]] const std::shared_ptr<const ThinAnalysis>& thin() const { return thin_; }  ///< for internal use: null if for fronts

 private:
  std::shared_ptr<const AnalysisParts> parts_;  // null: those of thin_
  std::shared_ptr<const ThinAnalysis> thin_;
};

/// Analyses A: finds an elimination order from its pattern and values, and predicts its cost. Throws UsageError for arrays that do
/// not form a matrix, values that are not finite and options that do not apply, and MemoryError. The analysis is the same on every
/// process of the place; several processes keep copies of A until the first factorization. They throw on all alike, including
/// CommunicationError, and InternalError when they come to different results.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options = {}, const Place& place = {});
template <Scalar S>
[[nodiscard]] Analysis analyze(const SparseMatrix<S>& matrix, const SolverOptions& options = {}, const Place& place = {}) {
  return analyze(SystemMatrix<S>(matrix), options, place);
}
/// The same for a matrix as triplets, distributed over the processes in any way; entries of one position add up, first within a
/// process in their order, then process after process. Rank 0 temporarily holds them all.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const Triplets<S>& mine, const SolverOptions& options = {}, const Place& place = {});

/// The same from the pattern alone, for values that are not known yet, so that a general matrix with a weak diagonal may have to
/// delay many pivots. `pattern` is that of SystemMatrix::stored.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options = {},
                                                 const Place& place = {});

}  // namespace frond
