// SPDX-License-Identifier: BSD-3-Clause
// Whether a page is well-formed.
#pragma once

#include <string>

namespace frond::testing {

/// What is wrong with the tags of a page in which every element is closed; empty if nothing is.
[[nodiscard]] std::string tag_error(const std::string& page);

/// How often a part occurs.
[[nodiscard]] int count_of(const std::string& text, const std::string& part);

}  // namespace frond::testing
