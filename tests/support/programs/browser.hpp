// SPDX-License-Identifier: BSD-3-Clause
// Opens pages in a browser: headless Chromium, which CMake looks for.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond::testing {

struct Screen {
  int width = 1200;
  bool is_dark = false;
};

/// Skips its tests if there is no browser, or fails them if one is required.
class PageInBrowser : public ::testing::Test {
 protected:
  void SetUp() override;

  /// Returns what measure_page.js finds in a copy of the page.
  [[nodiscard]] nlohmann::json measure(const std::string& page, const Screen& screen = {}) const;
  /// Returns what the page itself writes to an element <pre id="measured">, as JSON.
  [[nodiscard]] nlohmann::json opened(const std::string& page, const Screen& screen = {}) const;

  ScratchFolder folder_;
};

/// Expects nothing that would disturb a reader.
void expect_no_fault(const nlohmann::json& measured);

}  // namespace frond::testing
