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
  int sym = 0;  // SYM, at JOB=-1
  Stage stage = Stage::begun;
  Arrays<S> arrays;
  Entries<S> entries;
  CallNote note;  // of the call that is running

  // From the analysis on.
  std::unique_ptr<SolverOf<S>> solver;
  std::optional<Controls<S>> controls;
  std::vector<int> positions;        // SYM_PERM, counted from 1
  std::vector<int> schur_variables;  // counted from 1
  int schur_kind = 0;                // ICNTL(19); 0: there is no Schur complement
  int forward_width = 0;             // NRHS of the right-hand sides that the factorization takes; 0: it takes none
  bool discards_factors = false;

  // From the factorization on.
  std::vector<RealOf<S>> row_scales;  // given; empty: none
  std::vector<RealOf<S>> col_scales;
  std::vector<int> null_pivots;  // PIVNUL_LIST, counted from 1
  bool finds_null_pivots = false;
  std::optional<DenseMatrix<S>> forward;    // the right-hand sides that it took
  std::optional<DenseMatrix<S>> condensed;  // the right-hand sides that were condensed last

  [[nodiscard]] bool is_general() const { return sym != 1 && sym != 2; }
  [[nodiscard]] Index order() const { return entries.order(); }
  [[nodiscard]] bool has_schur() const { return schur_kind != 0; }
  [[nodiscard]] const Factorization<S>& factorization() const { return solver->factorization(); }
};

}  // namespace frond::mumps
