// SPDX-License-Identifier: BSD-3-Clause
// Reads from a page of documentation which keys a JSON report holds.
#pragma once

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace frond::testing {

/// Returns the words in backquotes in the first cells of the page's tables.
inline std::set<std::string> documented_keys(const std::string& path) {
  std::ifstream page(path);
  std::set<std::string> keys;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) == 0) {
      std::istringstream cell(line.substr(0, line.find('|', 1)));
      std::string key;
      while (std::getline(cell, key, '`') && std::getline(cell, key, '`')) {
        keys.insert(key);
      }
    }
  }
  return keys;
}

}  // namespace frond::testing
