// SPDX-License-Identifier: BSD-3-Clause
// Writes output files that appear complete or not at all.
#pragma once

#include <string>
#include <string_view>

#include "matrices/atomic_file.hpp"

namespace frond {

/// write_atomically() for a text. The path "-" means standard output. Throws OutputError.
void write_text(const std::string& path, std::string_view text);

}  // namespace frond
