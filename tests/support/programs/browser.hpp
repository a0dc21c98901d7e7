// SPDX-License-Identifier: BSD-3-Clause
// Pages in a browser: headless Chromium, which CMake looks for.
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

/// Skips its tests where there is no browser, or lets them fail where there must be one.
class PageInBrowser : public ::testing::Test {
 protected:
  void SetUp() override;

  /// What measure_page.js finds in a copy of the page.
  [[nodiscard]] nlohmann::json measure(const std::string& page, const Screen& screen = {}) const;
  /// What the page itself writes to an element <pre id="measured">, as JSON.
  [[nodiscard]] nlohmann::json opened(const std::string& page, const Screen& screen = {}) const;

  ScratchFolder folder_;
};

/// Nothing that a reader would stumble over.
void expect_no_fault(const nlohmann::json& measured);

}  // namespace frond::testing
