// SPDX-License-Identifier: BSD-3-Clause
// Parses words that must be whole numbers.
#include "factorization/machine/system_file.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace frond {
namespace {

std::optional<Count> to_number(const std::string& word) {
  Count number = 0;
  const char* end = word.data() + word.size();
  const auto [last, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && last == end && number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<Count> read_number(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return to_number(word);
}

std::optional<Count> read_entry(const std::filesystem::path& file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    std::string number;
    if (words >> word >> number && word == key) {
      return to_number(number);
    }
  }
  return std::nullopt;
}

}  // namespace frond
