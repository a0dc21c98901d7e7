// SPDX-License-Identifier: BSD-3-Clause
// Loads the bytes of a file.
#pragma once

#include <string>
#include <string_view>

#include "matrices/large_vector.hpp"

namespace frond {

using FileText = LargeVector<char>;

[[nodiscard]] inline std::string_view view_of(const FileText& text) { return {text.data(), text.size()}; }

/// The name that stands for standard input.
inline constexpr std::string_view kStandardInput = "-";

/// Returns the whole unchanged content of a file or a pipe, or of standard input for kStandardInput. Throws an InputError.
[[nodiscard]] FileText load_file(const std::string& path, int num_threads);

}  // namespace frond
