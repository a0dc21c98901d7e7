// SPDX-License-Identifier: BSD-3-Clause
// The first decisions about a system: its method, and its analysis.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "analysis/symbolic.hpp"
#include "frond/options.hpp"
#include "solver/numerics/problem/system_matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"

namespace frond {

/// Scales that the analysis has found on its way, for a factorization of the same values.
struct KnownScales {
  FoundScales scales;
  ScalingOptions options;         ///< with which they were found
  std::uint64_t values_hash = 0;  ///< of the entries that they were found for, in the order of the analysis
};

class Place;

/// What an analysis has come to; immutable.
struct AnalysisParts {
  std::shared_ptr<const Place> place;  ///< where matrices of this pattern are factorized
  std::shared_ptr<const Symbolic> symbolic;
  Method method = Method::lu;  ///< chosen for the values that were analysed
  SolverOptions options;
  /// Unless rows have been matched since: then other scales suit the matrix.
  std::optional<KnownScales> scales = {};

  /// The scales for a factorization of these values by these options; none, unless they are those that were analysed.
  template <Scalar S>
  [[nodiscard]] FoundScales scales_of(std::span<const S> values) const;
};

/// The method that `options` and the matrix ask for: see SolverOptions::method. Throws UsageError when a method is asked for that
/// cannot apply to the symmetry of A.
template <Scalar S>
[[nodiscard]] Method choose_method(const SystemMatrix<S>& matrix, const SolverOptions& options = {});

/// Orders and analyses the pattern of A for all matrices of that pattern, symmetry and (if given) method. The place is left to the
/// caller. Throws UsageError.
template <Scalar S>
[[nodiscard]] AnalysisParts analyze_system(const SystemMatrix<S>& matrix, const SolverOptions& options);

/// The same by a pattern alone.
template <Scalar S>
[[nodiscard]] AnalysisParts analyze_pattern_of_system(const PatternView& pattern, const SolverOptions& options);

}  // namespace frond
