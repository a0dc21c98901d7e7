// SPDX-License-Identifier: BSD-3-Clause
// The frond program.
#include <cstdlib>

#include "tools/commands.hpp"
#include "tools/program.hpp"

int main(int argc, char** argv) {
  const int code = frond::run_program(argc, argv);
  if (code == static_cast<int>(frond::ExitCode::out_of_memory)) {
    // OpenBLAS starts threads before main() and waits for them when the program ends: under a limit of address space they may
    // never get the memory that they try to map for ever.
    std::_Exit(code);
  }
  return code;
}
