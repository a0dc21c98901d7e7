// SPDX-License-Identifier: BSD-3-Clause
// What all calls of C begin with: pointers that may be null.
#pragma once

#include <cstddef>

#include "frond/error.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/handle.hpp"

namespace frond {

/// Calls work(solver, record) by one of the ways of a solver; there may be none. `call` is what C calls it.
template <class Work>
frond_status change(frond_solver* solver, const char* call, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->change(call, work);
}
template <class Work>
frond_status change_here(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->change_here(work);
}
template <class Work>
frond_status set_here(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->set_here(work);
}
template <class Work>
frond_status ask_here(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->ask_here(work);
}
template <class Work>
frond_status ask_factors(frond_solver* solver, const char* call, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->ask_factors(call, work);
}

/// Those that are not there are at the end of the list of which an index is taken.
[[nodiscard]] inline std::size_t number_in_list(int number) {
  return number < 0 ? static_cast<std::size_t>(-1) : static_cast<std::size_t>(number);
}

/// Keeps the report for the thread that asks, and what is to be said unless all is solved.
[[nodiscard]] frond_status keep_report(SolveReport report, CallRecord& record);

/// The same of entries of an inverse.
[[nodiscard]] frond_status keep_answer(InverseOutcome outcome, CallRecord& record);

/// What a factorization says of the matrix.
[[nodiscard]] frond_status keep_outcome(const SystemReport& report, CallRecord& record);

}  // namespace frond
