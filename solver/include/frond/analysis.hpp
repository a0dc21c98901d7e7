// SPDX-License-Identifier: BSD-3-Clause
// What is found out about a matrix before any of it is eliminated.
#pragma once

#include <memory>

#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/types.hpp>

namespace frond {

struct AnalysisParts;

/// The order of elimination of a matrix, the tree of its fronts, and the options with which it is to be solved. It serves all
/// matrices with the same pattern and symmetry. Immutable, and cheap to copy.
class FROND_API Analysis {
 public:
  explicit Analysis(AnalysisParts parts);  ///< for Frond itself

  [[nodiscard]] const SolverOptions& options() const;  ///< with which it was made
  /// The method that was chosen for the matrix, see SolverOptions::method. For other values it is chosen anew.
  [[nodiscard]] Method method() const;

  /// The same with other options. What was analysed stays, so that options.analysis does not count. For LU where another method
  /// has been analysed, or the other way round, the matrix has to be analysed again.
  [[nodiscard]] Analysis with_options(SolverOptions options) const;

  [[nodiscard]] const AnalysisParts& parts() const { return *parts_; }  ///< for Frond itself

 private:
  std::shared_ptr<const AnalysisParts> parts_;
};

/// Analyses A: finds an order of elimination by its pattern and values, and what it will cost. Throws UsageError for arrays that
/// are no matrix, values that are not finite and options that do not apply, and MemoryError.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] Analysis analyze(const SparseMatrix<S>& matrix, const SolverOptions& options = {}) {
  return analyze(SystemMatrix<S>(matrix), options);
}

/// The same by the pattern alone, for values that are not known yet: without a look at them, so that a general matrix with a weak
/// diagonal may have to delay many pivots. `pattern` is that of SystemMatrix::stored.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options = {});

}  // namespace frond
