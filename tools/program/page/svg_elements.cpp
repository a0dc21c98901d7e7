// SPDX-License-Identifier: BSD-3-Clause
// Writes single SVG elements.
#include "tools/program/page/svg_elements.hpp"

#include <fmt/format.h>

#include <array>

#include "tools/program/page/page_parts.hpp"

namespace frond {

std::string svg_text(double x, double y, TextAnchor anchor, std::string_view text, std::string_view style) {
  constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
  const std::string classes = style.empty() ? "" : fmt::format(R"( class="{}")", style);
  return fmt::format(R"(<text{} x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)"
                     "\n",
                     classes, x, y, kAnchors[static_cast<std::size_t>(anchor)], escape_markup(text));
}

std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)"
                     "\n",
                     style, x1, y1, x2, y2);
}

std::string svg_title(std::string_view text) { return fmt::format("<title>{}</title>", escape_markup(text)); }

std::string svg_drawing(double width, double height, std::string_view description, const std::string& elements) {
  return fmt::format("<svg role=\"img\" aria-label=\"{2}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\">\n{3}</svg>\n", width,
                     height, escape_markup(description), elements);
}

}  // namespace frond
