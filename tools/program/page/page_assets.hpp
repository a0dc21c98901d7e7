// SPDX-License-Identifier: BSD-3-Clause
// The style sheet and the script of pages of runs.
#pragma once

#include <string_view>

namespace frond {

/// Colours for light and dark screens and for paper; colours that carry meaning are distinguishable with any kind of colour vision.
[[nodiscard]] std::string_view page_styles();

/// Sorts tables by the column whose head is clicked. Sets data-ready on the root element when it has finished, data-error if
/// something went wrong.
[[nodiscard]] std::string_view page_script();

}  // namespace frond
