// SPDX-License-Identifier: BSD-3-Clause
// Measures distances between words.
#include "solver/options/suggestion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace frond {
namespace {

// The number of letters to insert, delete, replace, or exchange with their neighbours (Damerau 1964, restricted).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest = std::min_element(names.begin(), names.end(), [&word](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  });
  const std::size_t most = std::max<std::size_t>(1, word.size() / 4);
  return nearest != names.end() && distance(word, *nearest) <= most ? fmt::format("; did you mean {}?", *nearest) : "";
}

}  // namespace frond
