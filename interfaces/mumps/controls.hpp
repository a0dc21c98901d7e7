// SPDX-License-Identifier: BSD-3-Clause
// Translates ICNTL and CNTL to options of a solver.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "interfaces/c/solver_of.hpp"
#include "interfaces/mumps/structure.hpp"

namespace frond::mumps {

/// Numbers of controls that more than one source reads.
inline constexpr int kMatching = 6;
inline constexpr int kOrdering = 7;
inline constexpr int kScaling = 8;
inline constexpr int kOperation = 9;
inline constexpr int kRefinement = 10;
inline constexpr int kErrorAnalysis = 11;
inline constexpr int kDistributedEntries = 18;
inline constexpr int kSchur = 19;
inline constexpr int kRightHandSides = 20;
inline constexpr int kDistributedSolution = 21;
inline constexpr int kNullPivots = 24;
inline constexpr int kNullSpace = 25;
inline constexpr int kReducedSides = 26;
inline constexpr int kInverse = 30;
inline constexpr int kDiscard = 31;
inline constexpr int kForward = 32;
inline constexpr int kDeterminant = 33;

/// Sets options of a solver. An option that is set to what it was leaves the factors as they are. A control that has no such value
/// means its default, as in MUMPS.
template <Scalar S>
class Controls {
 public:
  explicit Controls(SolverOf<S>& solver) : solver_(solver) {}

  void set_for_analysis(const Structure<S>& structure);
  /// `values` are those of the matrix, to which absolute thresholds are compared.
  void set_for_factorization(const Structure<S>& structure, std::span<const S> values);
  /// Whether the solutions of this call are to be measured, and refined: one right-hand side, given and wanted as a whole.
  [[nodiscard]] static bool measures_solution(const Structure<S>& structure);
  void set_for_solve(const Structure<S>& structure);

 private:
  void set(std::string_view name, std::string value);

  SolverOf<S>& solver_;
  std::map<std::string, std::string, std::less<>> values_;  // that have been set
};

}  // namespace frond::mumps
