// SPDX-License-Identifier: BSD-3-Clause
// Where it is, and how it takes over.
#include "tools/process/simulator_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "frond/error.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// Where the build puts it, or where it is installed.
fs::path find_simulator() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const std::array<fs::path, 2> places = {folder / "frond-simulator",
                                          folder.parent_path() / "libexec" / "frond" / "frond-simulator"};
  const auto* place = std::find_if(places.begin(), places.end(), [](const fs::path& path) { return fs::exists(path); });
  if (place == places.end()) {
    throw UsageError(
        fmt::format("the simulator is neither {} nor {}: it is built where SimGrid is found (on Debian: apt install "
                    "libsimgrid-dev, and build frond again)",
                    places[0].string(), places[1].string()));
  }
  return *place;
}

}  // namespace

void become_simulator(std::vector<std::string> arguments) {
  const fs::path simulator = find_simulator();
  arguments.insert(arguments.begin(), {"frond", "simulate"});
  std::vector<char*> words;
  std::transform(arguments.begin(), arguments.end(), std::back_inserter(words), [](std::string& word) { return word.data(); });
  words.push_back(nullptr);
  execv(simulator.c_str(), words.data());
  throw std::system_error(errno, std::generic_category(), simulator.string());
}

}  // namespace frond
