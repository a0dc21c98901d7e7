// SPDX-License-Identifier: BSD-3-Clause
// frond batch.
#pragma once

#include <string>

#include "tools/process/exit_code.hpp"
#include "tools/solve/solve_arguments.hpp"

namespace frond {

struct BatchArguments {
  std::string list;     ///< a file, or a folder
  std::string results;  ///< file of what came of each system; empty: none
  std::string output;   ///< folder for solutions; empty: they are not written
  int num_workers = 0;
  bool has_one_pattern = false;
  std::string chunks = "ss";
  SolveArguments solve;  ///< of each system, as far as a batch has them
};

/// Solves the systems of the list that have no results yet, and says of each what came of it, of all how many came to what, and
/// which of them were not solved. Throws UsageError, InputError and OutputError before the first one.
[[nodiscard]] ExitCode run_batch(const BatchArguments& arguments);

}  // namespace frond
