// SPDX-License-Identifier: BSD-3-Clause
// Text between tags.
#pragma once

#include <string>
#include <string_view>

namespace frond {

/// Text as it stands between tags and in attributes.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace frond
