// SPDX-License-Identifier: BSD-3-Clause
// `frond solve --analysis-of`: a matrix is factorized with the analysis of another one.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "frond/error.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// The matrix that --analysis-of names, for the analysis of that of `input`; none where it is not given. Adds what reading takes to
/// the seconds of `input`. Where only one of both was found to be symmetric, both are general. Throws InputError, and UsageError
/// where one of both is real and the other one complex.
[[nodiscard]] std::optional<MatrixInput> read_analysed_matrix(const SolveArguments& arguments, MatrixInput& input);

/// What errors begin with that come from the analysis of another matrix; names both files.
[[nodiscard]] std::string foreign_analysis_prefix(const SolveArguments& arguments);

/// Returns work(), which uses the analysis. Where it is that of another matrix, errors of use and of memory name both files.
template <class Work>
decltype(auto) with_analysis(const SolveArguments& arguments, Work work) {
  if (arguments.analysis_of.empty()) {
    return work();
  }
  try {
    return work();
  } catch (const UsageError& error) {
    throw UsageError(foreign_analysis_prefix(arguments) + error.what());
  } catch (const MemoryError& error) {
    throw MemoryError(foreign_analysis_prefix(arguments) + error.what(), error.needed_bytes(), error.limit_bytes());
  }
}

}  // namespace frond
