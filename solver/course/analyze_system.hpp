// SPDX-License-Identifier: BSD-3-Clause
// Makes the first decisions about a system: its method, and its analysis.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/options.hpp"
#include "frond/place.hpp"
#include "solver/numerics/problem/system_matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"

namespace frond {

/// Scales that the analysis found as a by-product, or the last factorization.
struct KnownScales {
  FoundScales scales;
  std::vector<double> row_scales;  ///< the given ones that they were found with
  std::vector<double> col_scales;  ///< likewise
  std::uint64_t values_hash = 0;   ///< of the entries that the analysis found them for, in its order
};

/// What a place has made of the values that were analysed, for the first factorization, which takes it.
class Prepared {
 public:
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  virtual ~Prepared() = default;
  virtual void release() = 0;
};

/// The result of an analysis; immutable, except that `prepared` empties.
struct AnalysisParts {
  Place place = {};  ///< where matrices of this pattern are factorized
  std::shared_ptr<const Symbolic> symbolic;
  Method method = Method::lu;  ///< chosen for the values that were analysed
  SolverOptions options;
  /// Empty if rows were matched afterwards: then other scales suit the matrix.
  std::optional<KnownScales> scales = {};
  std::shared_ptr<Prepared> prepared = {};  ///< null: nothing

  /// The scales for a factorization of a matrix as it is analysed, under these options: those that were found for its values, or
  /// for others, if these serve (FoundScales::kept_for()) and neither levels nor a checkpoint, which finds them anew, are
  /// concerned.
  template <Scalar S>
  [[nodiscard]] FoundScales scales_of(const MatrixView<S>& matrix) const;
};

/// The method for `options` and the matrix: see SolverOptions::method. Throws UsageError when the requested method does not apply
/// to the symmetry of A.
template <Scalar S>
[[nodiscard]] Method choose_method(const SystemMatrix<S>& matrix, const SolverOptions& options = {});

/// Orders and analyses the pattern of A for all matrices of that pattern, symmetry and (if given) method. The place is
/// this process. Throws UsageError.
template <Scalar S>
[[nodiscard]] AnalysisParts analyze_system(const SystemMatrix<S>& matrix, const SolverOptions& options);

/// The same from the pattern alone.
template <Scalar S>
[[nodiscard]] AnalysisParts analyze_pattern_of_system(const PatternView& pattern, const SolverOptions& options);

}  // namespace frond
