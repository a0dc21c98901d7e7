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

/// Sets options of a solver, together with the other processes. An option that is set to what it was leaves the factors as they
/// are. A control that has no such value means its default, as in MUMPS.
template <Scalar S>
class Controls {
 public:
  /// `sym` is that of JOB=-1.
  Controls(SolverOf<S>& solver, int sym) : solver_(&solver), is_definite_(sym == 1) {}

  void set_for_analysis(const Structure<S>& structure);
  /// `values` are those of the matrix that this process has.
  void set_for_factorization(const Structure<S>& structure, std::span<const S> values);
  /// Whether the solutions of this call are to be measured, and refined: one right-hand side, given and wanted as a whole.
  [[nodiscard]] static bool measures_solution(const Structure<S>& structure);
  void set_for_solve(const Structure<S>& structure);

 private:
  void set(std::string_view name, std::string value);

  SolverOf<S>* solver_;                                     // never null
  bool is_definite_;                                        // by the caller's promise
  std::map<std::string, std::string, std::less<>> values_;  // that have been set
};

}  // namespace frond::mumps
