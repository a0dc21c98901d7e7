// SPDX-License-Identifier: BSD-3-Clause
// Writes the markup around charts.
#include "tools/program/page/page_parts.hpp"

#include <fmt/format.h>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/markup.hpp"
#include "tools/program/page/page_assets.hpp"

namespace frond {

std::string plural(double count, std::string_view noun) {
  const std::string_view ending = count == 1 ? "" : noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", format_count(count), noun, ending);
}

std::string page_header(std::string_view maker, std::string_view matrix, const std::vector<std::string>& facts) {
  std::string items;
  for (const std::string& fact : facts) {
    items += "<span>" + escape_markup(fact) + "</span>";
  }
  return fmt::format("<header>\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n<p class=\"facts\">{}</p>\n</header>\n",
                     escape_markup(maker), escape_markup(matrix), items);
}

std::string card(std::string_view style, std::string_view heading, std::string_view figure, std::string_view unit,
                 std::string_view text) {
  return fmt::format("<div class=\"card {}\"><h2>{}</h2><div class=\"figure\">{} <small>{}</small></div><p>{}</p></div>\n", style,
                     escape_markup(heading), escape_markup(figure), escape_markup(unit), escape_markup(text));
}

std::string whole_page(std::string_view title, const std::string& content) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}"
      "</main>\n<script>{}</script>\n</body>\n</html>\n",
      escape_markup(title), page_styles(), content, page_script());
}

}  // namespace frond
