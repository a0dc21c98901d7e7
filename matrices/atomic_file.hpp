// SPDX-License-Identifier: BSD-3-Clause
// Writes files that appear complete or not at all.
#pragma once

#include <functional>
#include <string>

namespace frond {

/// Calls write(name) for a temporary file next to `path` and renames it to `path` when write() returns; if anything throws, the
/// temporary file is removed and an older `path` stays as it was. A path that is not a regular file (/dev/null, a pipe) is
/// written directly. Throws OutputError.
void write_atomically(const std::string& path, const std::function<void(const std::string& name)>& write);

}  // namespace frond
