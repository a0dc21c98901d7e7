// SPDX-License-Identifier: BSD-3-Clause
// Looks in the build folder and in the installation.
#include "tools/program/process/program_beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "frond/error.hpp"

namespace frond {

std::string program_beside(const std::string& name, const std::string& remedy) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const std::array<fs::path, 2> places = {folder / name, folder.parent_path() / "libexec" / "frond" / name};
  const auto* place = std::find_if(places.begin(), places.end(), [](const fs::path& path) { return fs::exists(path); });
  if (place == places.end()) {
    throw UsageError(fmt::format("the program {} is neither {} nor {}: {}", name, places[0].string(), places[1].string(), remedy));
  }
  return place->string();
}

}  // namespace frond
