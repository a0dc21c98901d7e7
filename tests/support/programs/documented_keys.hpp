// SPDX-License-Identifier: BSD-3-Clause
// Compares the keys of a JSON report with those that a page of documentation has.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
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

/// Expects a report to hold the keys that are documented on the page, and no others.
inline void expect_documented_keys(const nlohmann::json& report, const std::string& path) {
  std::set<std::string> written;
  for (const auto& item : report.items()) {
    written.insert(item.key());
  }
  EXPECT_EQ(written, documented_keys(path));
}

}  // namespace frond::testing
