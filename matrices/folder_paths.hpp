// SPDX-License-Identifier: BSD-3-Clause
// Lists a folder without exceptions of the standard library.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace frond {

/// Returns the paths in a folder, as far as they can be read; `error` says why there are no more. A loop over a
/// directory_iterator throws if the next entry cannot be read, whichever constructor was used.
[[nodiscard]] inline std::vector<std::filesystem::path> paths_in(const std::string& folder, std::error_code& error) {
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    paths.push_back(entry->path());
  }
  return paths;
}

}  // namespace frond
