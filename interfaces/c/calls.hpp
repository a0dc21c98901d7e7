// SPDX-License-Identifier: BSD-3-Clause
// What all calls of C begin with: pointers that may be null.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "frond/error.hpp"
#include "interfaces/c/handle.hpp"

namespace frond {

/// Throws UsageError, which names the argument.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) {
    throw UsageError(std::string("the argument ") + name + " is NULL");
  }
  return *pointer;
}

[[nodiscard]] inline std::string_view required_text(const char* text, const char* name) { return &required(text, name); }

/// Calls work(solver, record) by one of the ways of a solver; there may be none.
template <class Work>
frond_status change(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->change(work);
}
template <class Work>
frond_status ask(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->ask(work);
}
template <class Work>
frond_status ask_factors(frond_solver* solver, Work work) noexcept {
  return solver == nullptr ? FROND_USAGE_ERROR : solver->ask_factors(work);
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
