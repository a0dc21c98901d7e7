// SPDX-License-Identifier: BSD-3-Clause
// The command line options of `frond batch`.
#pragma once

#include <string>

#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

struct BatchArguments {
  std::string list;     ///< a file or a folder
  std::string results;  ///< file with the result of each system; empty: none
  std::string output;   ///< folder for solutions; empty: none are written
  int num_workers = 0;
  int group_size = 1;  ///< processes that solve one system together
  bool has_one_pattern = false;
  DealingArguments dealing;
  SolveArguments solve;  ///< for each system, as far as a batch supports them, and for the processes
};

}  // namespace frond
