// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes orderings.
#include "tools/ordering_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <utility>

#include "matrices/error.hpp"
#include "tools/atomic_output.hpp"

namespace frond {
namespace {

constexpr std::array<std::pair<OrderingKind, const char*>, 6> kNames = {{{OrderingKind::automatic, "automatic"},
                                                                         {OrderingKind::dissection, "dissection"},
                                                                         {OrderingKind::metis, "metis"},
                                                                         {OrderingKind::amd, "amd"},
                                                                         {OrderingKind::natural, "natural"},
                                                                         {OrderingKind::given, "given"}}};

Index parse_variable(const std::string& path, Count line, const std::string& text) {
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) {
    throw InputError(path, line, fmt::format("'{}' is no variable: an ordering has one number a line, counted from 1", text));
  }
  return number - 1;
}

// That the variables of a file are 1 to their number, each once; lines[k] is the line of perm[k].
void check_permutation(const std::string& path, const std::vector<Index>& perm, const std::vector<Count>& lines) {
  std::vector<Count> line_of(perm.size(), 0);
  for (std::size_t k = 0; k < perm.size(); ++k) {
    const auto variable = static_cast<std::size_t>(perm[k]);
    if (variable >= perm.size()) {
      throw InputError(path, lines[k], fmt::format("there is no variable {}: the file orders {}", variable + 1, perm.size()));
    }
    if (line_of[variable] != 0) {
      throw InputError(path, lines[k],
                       fmt::format("variable {} was eliminated in line {} before", variable + 1, line_of[variable]));
    }
    line_of[variable] = lines[k];
  }
}

std::vector<Index> read_ordering(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(path, 0, "is neither an ordering (automatic, dissection, metis, amd, natural) nor a file that can be opened");
  }
  std::vector<Index> perm;
  std::vector<Count> lines;
  Count line = 0;
  for (std::string text; std::getline(file, text);) {
    ++line;
    if (!text.empty() && text.back() == '\r') {
      text.pop_back();
    }
    if (!text.empty()) {
      perm.push_back(parse_variable(path, line, text));
      lines.push_back(line);
    }
  }
  check_permutation(path, perm, lines);
  return perm;
}

}  // namespace

std::string to_string(OrderingKind kind) {
  for (const auto& [candidate, name] : kNames) {
    if (candidate == kind) {
      return name;
    }
  }
  return {};
}

OrderingOptions parse_ordering(const std::string& kind_or_file) {
  OrderingOptions options;
  for (const auto& [kind, name] : kNames) {
    if (kind != OrderingKind::given && kind_or_file == name) {
      options.kind = kind;
      return options;
    }
  }
  options.kind = OrderingKind::given;
  options.perm = read_ordering(kind_or_file);
  return options;
}

void write_ordering(const std::string& path, std::span<const Index> perm) {
  fmt::memory_buffer text;
  for (const Index variable : perm) {
    fmt::format_to(std::back_inserter(text), "{}\n", variable + 1);
  }
  write_text(path, std::string_view(text.data(), text.size()));
}

}  // namespace frond
