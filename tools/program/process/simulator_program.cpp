// SPDX-License-Identifier: BSD-3-Clause
// Finds the simulator and replaces this process by it.
#include "tools/program/process/simulator_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <system_error>

#include "tools/program/process/program_beside.hpp"

namespace frond {
void become_simulator(const std::string& command, std::vector<std::string> arguments) {
  const std::string simulator = program_beside(
      "frond-simulator", "it is built where SimGrid is found (on Debian: apt install libsimgrid-dev, and build frond again)");
  arguments.insert(arguments.begin(), {"frond", command});
  std::vector<char*> words;
  std::transform(arguments.begin(), arguments.end(), std::back_inserter(words), [](std::string& word) { return word.data(); });
  words.push_back(nullptr);
  execv(simulator.c_str(), words.data());
  throw std::system_error(errno, std::generic_category(), simulator);
}

}  // namespace frond
