// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a system between calls.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "frond/answers.hpp"
#include "frond/dense.hpp"
#include "frond/place.hpp"
#include "interfaces/c/solver_of.hpp"
#include "interfaces/mumps/arrays.hpp"
#include "interfaces/mumps/call_log.hpp"
#include "interfaces/mumps/controls.hpp"
#include "interfaces/mumps/entries.hpp"
#include "solver/course/place_parts.hpp"

namespace frond::mumps {

enum class Stage { begun, analysed, factorized };

template <Scalar S>
struct System {
  Place place;  // where it is solved
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
  Count num_entries = 0;             // that all processes gave
  int schur_kind = 0;                // ICNTL(19); 0: there is no Schur complement
  SchurGrid schur_grid;              // of the processes that get it; 1 x 1: the first one
  std::vector<int> mapping;          // MAPPING: the process of each entry
  int forward_width = 0;             // NRHS of the right-hand sides that the factorization takes; 0: it takes none
  bool discards_factors = false;

  // From the factorization on.
  std::optional<Entries<S>> own_entries;  // that were dealt out after the analysis
  std::vector<RealOf<S>> row_scales;      // given; empty: none
  std::vector<RealOf<S>> col_scales;
  std::vector<int> null_pivots;  // PIVNUL_LIST, counted from 1
  bool finds_null_pivots = false;
  std::optional<DenseMatrix<S>> forward;    // the right-hand sides that it took
  std::optional<DenseMatrix<S>> condensed;  // the right-hand sides that were condensed last

  [[nodiscard]] bool is_general() const { return sym != 1 && sym != 2; }
  [[nodiscard]] const Team& team() const { return place.parts().team(); }
  [[nodiscard]] bool leads() const { return team().leads(); }
  [[nodiscard]] Symmetry symmetry() const { return is_general() ? Symmetry::general : Symmetry::symmetric; }
  [[nodiscard]] Index order() const { return entries.order(); }
  [[nodiscard]] bool has_schur() const { return schur_kind != 0; }
  [[nodiscard]] const Factorization<S>& factorization() const { return solver->factorization(); }
};

}  // namespace frond::mumps
