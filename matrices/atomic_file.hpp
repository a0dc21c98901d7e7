// SPDX-License-Identifier: BSD-3-Clause
// Files that appear complete or not at all.
#pragma once

#include <functional>
#include <string>

namespace frond {

/// Calls write(name) for a temporary file beside `path` and renames it to `path` when that returns; if anything throws, the
/// temporary is removed and an older `path` stays as it was. A path that is no regular file (/dev/null, a pipe) is written
/// directly. Throws OutputError.
void write_atomically(const std::string& path, const std::function<void(const std::string& name)>& write);

}  // namespace frond
