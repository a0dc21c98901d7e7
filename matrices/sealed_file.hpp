// SPDX-License-Identifier: BSD-3-Clause
// Writes small files of which the first with a given name counts, for every process that sees the directory.
#pragma once

#include <string>

namespace frond {

/// Writes a text and links the file to its name once it is on disk: it exists completely or not at all, and nobody waits for a
/// writer that died. Returns false, and leaves the existing file, if the name is taken. Throws OutputError.
[[nodiscard]] bool seal_file(const std::string& path, const std::string& text);

}  // namespace frond
