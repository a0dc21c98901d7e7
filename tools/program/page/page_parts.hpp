// SPDX-License-Identifier: BSD-3-Clause
// The parts that pages of runs are assembled from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// "1 rank", "12 ranks", "3 processes"
[[nodiscard]] std::string plural(double count, std::string_view noun);

/// Returns the head of a page: its maker, the matrix, and facts in one line. All are escaped here.
[[nodiscard]] std::string page_header(std::string_view maker, std::string_view matrix, const std::vector<std::string>& facts);

/// Returns a figure in large letters with its unit, below a heading and above a text. All are escaped here.
[[nodiscard]] std::string card(std::string_view style, std::string_view heading, std::string_view figure, std::string_view unit,
                               std::string_view text);

/// Returns a self-contained file. The title is escaped here.
[[nodiscard]] std::string whole_page(std::string_view title, const std::string& content);

}  // namespace frond
