// SPDX-License-Identifier: BSD-3-Clause
// The common start of all calls of C: handles pointers that may be null.
#pragma once

#include <cstddef>

#include "frond/error.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/handle.hpp"

namespace frond {

/// Calls work(solver, record), or work(solver), by one of the solver's entry points; the solver may be null. `call` is the name of
/// the C function. change() and ask_factors() pass a SolverOf<S>, the others a SolverBase.
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

/// A negative number becomes the largest index, which is past the end of every list.
[[nodiscard]] inline std::size_t number_in_list(int number) {
  return number < 0 ? static_cast<std::size_t>(-1) : static_cast<std::size_t>(number);
}

/// Keeps the report for the calling thread, and a message unless everything is solved.
[[nodiscard]] frond_status keep_report(SolveReport report, CallRecord& record);

/// The leader's operation. Throws UsageError everywhere.
[[nodiscard]] Operation common_operation(const Team& team, int operation);

/// Returns the status that a factorization gives the matrix.
[[nodiscard]] frond_status keep_outcome(const SystemReport& report, CallRecord& record);

}  // namespace frond
