// SPDX-License-Identifier: BSD-3-Clause
// The parts that pages of runs are assembled from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// Returns the text escaped for use between tags and in attributes.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// "1 rank", "12 ranks", "3 processes"
[[nodiscard]] std::string plural(double count, std::string_view noun);

/// Returns the head of a page: its maker, the matrix, and facts in one line. All are escaped here.
[[nodiscard]] std::string page_header(std::string_view maker, std::string_view matrix, const std::vector<std::string>& facts);

/// Returns a figure in large letters with its unit, below a heading and above a text. All are escaped here.
[[nodiscard]] std::string card(std::string_view style, std::string_view heading, std::string_view figure, std::string_view unit,
                               std::string_view text);

/// Returns a section of a page: a heading, a paragraph of markup, and what follows it.
[[nodiscard]] std::string section(std::string_view style, std::string_view heading, const std::string& text,
                                  const std::string& body);

/// Returns a drawing that keeps its width on narrow screens.
[[nodiscard]] std::string wide_chart(const std::string& drawing);

/// Returns a self-contained file; tables that can be sorted need the script. The title is escaped here.
[[nodiscard]] std::string whole_page(std::string_view title, const std::string& content, bool has_script = true);

}  // namespace frond
