// SPDX-License-Identifier: BSD-3-Clause
// frond simulate: hands over to the simulator, which stands beside frond.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "matrices/error.hpp"
#include "tools/commands.hpp"

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

[[noreturn]] void run_simulator(std::vector<std::string> arguments) {
  const fs::path simulator = find_simulator();
  arguments.insert(arguments.begin(), {"frond", "simulate"});
  std::vector<char*> words;
  std::transform(arguments.begin(), arguments.end(), std::back_inserter(words), [](std::string& word) { return word.data(); });
  words.push_back(nullptr);
  execv(simulator.c_str(), words.data());
  throw std::system_error(errno, std::generic_category(), simulator.string());
}

}  // namespace

void add_simulate_command(CLI::App& program, const Launch& launch) {
  CLI::App* command =
      program.add_subcommand("simulate", "Predict a factorization over many processes, by the scheduler that ships");
  command->set_help_flag();  // the simulator helps
  command->prefix_command();
  command->callback([command, &launch] {
    require_one_process(launch, "simulate");
    run_simulator(command->remaining());
  });
}

}  // namespace frond
