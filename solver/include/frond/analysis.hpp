// SPDX-License-Identifier: BSD-3-Clause
// The symbolic analysis of a matrix: everything that is determined before elimination starts.
#pragma once

#include <memory>

#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/types.hpp>

namespace frond {

struct AnalysisParts;

/// The elimination order of a matrix, its assembly tree, and the options to solve it with. It serves all matrices with the same
/// pattern and symmetry. Immutable, and cheap to copy.
class FROND_API Analysis {
 public:
  explicit Analysis(AnalysisParts parts);  ///< for internal use

  [[nodiscard]] const SolverOptions& options() const;  ///< that it was made with
  /// The method chosen for the matrix, see SolverOptions::method. It is chosen anew for other values.
  [[nodiscard]] Method method() const;

  /// The same with other options. The analysis itself is kept, so options.analysis is ignored. To switch between LU and another
  /// method the matrix has to be analysed again.
  [[nodiscard]] Analysis with_options(SolverOptions options) const;

  [[nodiscard]] const AnalysisParts& parts() const { return *parts_; }  ///< for internal use

 private:
  std::shared_ptr<const AnalysisParts> parts_;
};

/// Analyses A: finds an elimination order from its pattern and values, and predicts its cost. Throws UsageError for arrays that do
/// not form a matrix, values that are not finite and options that do not apply, and MemoryError.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze(const SystemMatrix<S>& matrix, const SolverOptions& options = {});
template <Scalar S>
[[nodiscard]] Analysis analyze(const SparseMatrix<S>& matrix, const SolverOptions& options = {}) {
  return analyze(SystemMatrix<S>(matrix), options);
}

/// The same from the pattern alone, for values that are not known yet, so that a general matrix with a weak diagonal may have to
/// delay many pivots. `pattern` is that of SystemMatrix::stored.
template <Scalar S>
[[nodiscard]] FROND_API Analysis analyze_pattern(const PatternView& pattern, const SolverOptions& options = {});

}  // namespace frond
