// SPDX-License-Identifier: BSD-3-Clause
// Escapes characters that are special in markup.
#include "tools/program/page/markup.hpp"

namespace frond {

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace frond
