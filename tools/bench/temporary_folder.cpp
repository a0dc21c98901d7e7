// SPDX-License-Identifier: BSD-3-Clause
// mkdtemp, and remove_all.
#include "tools/bench/temporary_folder.hpp"

#include <fmt/core.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "frond/error.hpp"

namespace frond {

TemporaryFolder::TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "frond-bench-").string()) {
  path_.append(6, 'X');  // mkdtemp finds letters for them
  if (mkdtemp(path_.data()) == nullptr) {
    throw OutputError(fmt::format("{}: no folder can be made: {}; TMPDIR names another place", path_, std::strerror(errno)));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace frond
