// SPDX-License-Identifier: BSD-3-Clause
// Looks in the build folder and in the installation, and replaces this process.
#include "tools/program/process/other_programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "frond/error.hpp"

namespace frond {

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) {
    words.push_back(word);
  }
  return words;
}

std::string shell_word(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char character) {
    return std::isalnum(character) != 0 || std::string("-_./=,:+@%").find(static_cast<char>(character)) != std::string::npos;
  });
  if (is_plain) {
    return text;
  }
  std::string quoted = "'";
  for (const char character : text) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  std::transform(words.begin(), words.end(), std::back_inserter(pointers), [](std::string& word) { return word.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

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

void become_simulator(const std::string& command, std::vector<std::string> arguments) {
  const std::string simulator = program_beside(
      "frond-simulator", "it is built where SimGrid is found (on Debian: apt install libsimgrid-dev, and build frond again)");
  arguments.insert(arguments.begin(), {"frond", command});
  execv(simulator.c_str(), pointers_to(arguments).data());
  throw std::system_error(errno, std::generic_category(), simulator);
}

}  // namespace frond
