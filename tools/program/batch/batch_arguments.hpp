// SPDX-License-Identifier: BSD-3-Clause
// The command line options of `frond batch`.
#pragma once

#include <string>

#include "tools/program/arguments/dealing_arguments.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

struct BatchArguments {
  std::string list;     ///< a file, or a folder
  std::string results;  ///< file of what came of each system; empty: none
  std::string output;   ///< folder for solutions; empty: they are not written
  int num_workers = 0;
  int group_size = 1;  ///< processes that solve a system together
  bool has_one_pattern = false;
  DealingArguments dealing;
  SolveArguments solve;  ///< of each system, as far as a batch has them; and the processes
};

}  // namespace frond
