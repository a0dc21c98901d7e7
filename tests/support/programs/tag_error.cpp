// SPDX-License-Identifier: BSD-3-Clause
// Follows the tags of a page from beginning to end.
#include "tests/support/programs/tag_error.hpp"

#include <algorithm>
#include <vector>

namespace frond::testing {

std::string tag_error(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t begin = page.find('<'); begin != std::string::npos; begin = page.find('<', begin + 1)) {
    const std::size_t end = page.find('>', begin);
    if (end == std::string::npos || page.find('<', begin + 1) < end) {
      return "a tag without end: " + page.substr(begin, 40);
    }
    const std::string tag = page.substr(begin + 1, end - begin - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) {
      return "an attribute without end: " + tag;
    }
    if (tag.front() == '!' || tag.back() == '/') {
      continue;
    }
    if (tag.front() != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return "closed, but not open: " + name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t position = text.find(part); position != std::string::npos; position = text.find(part, position + part.size())) {
    ++count;
  }
  return count;
}

}  // namespace frond::testing
