// SPDX-License-Identifier: BSD-3-Clause
// Decompresses gzip files in memory.
#pragma once

#include <string>
#include <string_view>

#include "matrices/files/file_text.hpp"

namespace frond {

/// True when the content begins with the magic bytes of gzip.
[[nodiscard]] bool is_gzip(std::string_view content);

/// Decompresses gzip content, of one or several members. Throws an InputError when it is truncated or corrupt.
[[nodiscard]] FileText gunzip(std::string_view content, const std::string& file);

}  // namespace frond
