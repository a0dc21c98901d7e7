// SPDX-License-Identifier: BSD-3-Clause
// Small files of which the first one with its name counts, for everybody who sees the directory.
#pragma once

#include <string>

namespace frond {

/// Writes a text and gives the file its name by a link when it is on the disk: so it is there as a whole or not at all, and nobody
/// waits for one who has died while writing it. Returns false, and leaves what is there, if the name is taken. Throws OutputError.
[[nodiscard]] bool seal_file(const std::string& path, const std::string& text);

}  // namespace frond
