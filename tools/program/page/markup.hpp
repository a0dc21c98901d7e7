// SPDX-License-Identifier: BSD-3-Clause
// Escapes text for markup.
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// Returns the text escaped for use between tags and in attributes.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace frond
