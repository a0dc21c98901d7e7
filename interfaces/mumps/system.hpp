// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a system between calls.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "frond/dense.hpp"
#include "interfaces/c/solver_of.hpp"
#include "interfaces/mumps/arrays.hpp"
#include "interfaces/mumps/call_log.hpp"
#include "interfaces/mumps/controls.hpp"
#include "interfaces/mumps/entries.hpp"

namespace frond::mumps {

enum class Stage { begun, analysed, factorized };

template <Scalar S>
struct System {
  Symmetry symmetry = Symmetry::general;
  Stage stage = Stage::begun;
  Arrays<S> arrays;
  Entries<S> entries;
  std::unique_ptr<SolverOf<S>> solver;  // from the analysis on
  std::optional<Controls<S>> controls;  // likewise
  std::vector<int> schur_variables;     // counted from 1
  std::vector<RealOf<S>> row_scales;    // given; empty: none
  std::vector<RealOf<S>> col_scales;
  std::vector<int> positions;               // SYM_PERM, counted from 1
  std::vector<int> null_pivots;             // PIVNUL_LIST, counted from 1
  std::optional<DenseMatrix<S>> condensed;  // the right-hand sides that were condensed last
  std::optional<DenseMatrix<S>> forward;    // those that were given to the factorization
  CallNote note;                            // of the call that is running

  [[nodiscard]] Index order() const { return entries.order(); }
  [[nodiscard]] bool has_schur() const { return !schur_variables.empty(); }
  [[nodiscard]] const Factorization<S>& factorization() const { return solver->factorization(); }
};

}  // namespace frond::mumps
