// SPDX-License-Identifier: BSD-3-Clause
// What pages of runs are put together from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// "1 rank", "12 ranks", "3 processes"
[[nodiscard]] std::string plural(double count, std::string_view noun);

/// The head of a page: what has made it, the matrix, and facts in one line. All are escaped here.
[[nodiscard]] std::string page_header(std::string_view maker, std::string_view matrix, const std::vector<std::string>& facts);

/// A figure in large letters with its unit, below a heading and above a text. All are escaped here.
[[nodiscard]] std::string card(std::string_view style, std::string_view heading, std::string_view figure, std::string_view unit,
                               std::string_view text);

/// A file of its own. The title is escaped here.
[[nodiscard]] std::string whole_page(std::string_view title, const std::string& content);

}  // namespace frond
