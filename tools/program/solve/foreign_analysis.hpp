// SPDX-License-Identifier: BSD-3-Clause
// Supports `frond solve --analysis-of`: factorizes a matrix with the analysis of another one.
#pragma once

#include <optional>
#include <string>

#include "frond/error.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// Returns the matrix that --analysis-of names, for the analysis of that of `input`; nothing if it is not given. Adds the reading
/// time to the seconds of `input`. If only one of the two was found to be symmetric, both become general. Throws InputError, and
/// UsageError if one is real and the other complex.
[[nodiscard]] std::optional<MatrixInput> read_analysed_matrix(const SolveArguments& arguments, MatrixInput& input);

/// Returns the prefix of errors caused by the analysis of another matrix; it names both files.
[[nodiscard]] std::string foreign_analysis_prefix(const SolveArguments& arguments);

/// Returns work(), which uses the analysis. If it is that of another matrix, usage and memory errors name both files.
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
