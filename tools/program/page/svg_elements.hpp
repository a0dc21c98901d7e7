// SPDX-License-Identifier: BSD-3-Clause
// The elements that all charts of the page are drawn with; their colours are in the style sheet.
#pragma once

#include <string>
#include <string_view>

namespace frond {

// All charts have this width; those over time leave room for labels at both ends.
inline constexpr double kChartWidth = 1100;
inline constexpr double kChartLeft = 62;
inline constexpr double kChartRight = kChartWidth - 18;

enum class TextAnchor { start, middle, end };

/// A text on one line whose baseline is at y; escaped here.
[[nodiscard]] std::string svg_text(double x, double y, TextAnchor anchor, std::string_view text, std::string_view style = "");

[[nodiscard]] std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2);

/// Returns what a browser shows when the mouse rests on the surrounding element; escaped here.
[[nodiscard]] std::string svg_title(std::string_view text);

/// Returns a drawing of this natural size, which shrinks with its column; `description` is for screen readers.
[[nodiscard]] std::string svg_drawing(double width, double height, std::string_view description, const std::string& elements);

}  // namespace frond
