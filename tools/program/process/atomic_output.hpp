// SPDX-License-Identifier: BSD-3-Clause
// Writes output files that appear complete or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "matrices/atomic_file.hpp"

namespace frond {

/// write_atomically() for a text. The path "-" means standard output. Throws OutputError.
void write_text(const std::string& path, std::string_view text);

/// Does so with the text that is made for it, if there is a path.
void write_text_if_asked(const std::string& path, const std::function<std::string()>& make_text);

}  // namespace frond
