// SPDX-License-Identifier: BSD-3-Clause
// Runs a browser on a page and reads what a script wrote into it.
#include "tests/support/programs/browser.hpp"

#include <fstream>
#include <iterator>

#include "tools/program/process/child_process.hpp"

namespace frond::testing {
namespace {

using Json = nlohmann::json;

constexpr double kSecondsLimit = 25;  // time limit of a browser, which needs about one second

std::string measuring_script() {
  std::ifstream file(FROND_MEASURE_PAGE);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_measurements(std::string page) {
  return page.insert(page.rfind("</body>"), "<script>" + measuring_script() + "</script>\n");
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t position = text.find(from); position != std::string::npos; position = text.find(from, position + to.size())) {
    text.replace(position, from.size(), to);
  }
}

// Returns the text of the element that the measuring script created.
Json measurements_in(const std::string& document) {
  const std::string begin = "<pre id=\"measured\">";
  const std::size_t position = document.find(begin);
  if (position == std::string::npos) {
    ADD_FAILURE() << "nothing was measured";
    return Json::object();
  }
  const std::size_t first = position + begin.size();
  std::string text = document.substr(first, document.find("</pre>", first) - first);
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  replace_all(text, "&nbsp;", "\u00a0");
  replace_all(text, "&amp;", "&");
  return Json::parse(text);
}

}  // namespace

void PageInBrowser::SetUp() {
  if (std::string(FROND_CHROMIUM).empty()) {
    ASSERT_FALSE(FROND_REQUIRE_CHROMIUM) << "CMake has found no Chromium (Debian: chromium-headless-shell)";
    GTEST_SKIP() << "CMake has found no Chromium (Debian: chromium-headless-shell)";
  }
}

Json PageInBrowser::measure(const std::string& page, const Screen& screen) const { return opened(with_measurements(page), screen); }

// The sandbox protects against foreign pages, and is not available as root or in containers.
Json PageInBrowser::opened(const std::string& page, const Screen& screen) const {
  const std::string file = folder_.write("page.html", page);
  const ChildResult result = run_child(
      {FROND_CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
       "--no-first-run", "--user-data-dir=" + folder_.path("profile"), "--virtual-time-budget=5000",
       "--window-size=" + std::to_string(screen.width) + ",900",
       "--blink-settings=preferredColorScheme=" + std::string(screen.is_dark ? "0" : "1"), "--dump-dom", "file://" + file},
      kSecondsLimit);
  EXPECT_FALSE(result.timed_out) << result.errors;
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  return measurements_in(result.output);
}

void expect_no_fault(const Json& measured) {
  EXPECT_EQ(measured["ready"], "yes");
  EXPECT_EQ(measured["error"], "");
  EXPECT_EQ(measured["pageIsTooWide"], false);
  for (const char* fault : {"withoutSize", "outside", "overlaps", "overlappingSections", "cellsThatAreTooNarrow", "paleTexts"}) {
    EXPECT_EQ(measured[fault], Json::array()) << fault;
  }
}

}  // namespace frond::testing
