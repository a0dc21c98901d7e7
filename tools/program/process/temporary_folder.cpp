// SPDX-License-Identifier: BSD-3-Clause
// Makes folders with mkdtemp, and removes them with remove_all.
#include "tools/program/process/temporary_folder.hpp"

#include <fmt/core.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "frond/error.hpp"

namespace frond {

std::string folder_for_temporaries() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) {
    throw OutputError(fmt::format("there is no folder for temporary files: {}; let TMPDIR name one", error.message()));
  }
  return folder.string();
}

TemporaryFolder::TemporaryFolder(const std::string& purpose, const std::string& parent)
    : path_(fmt::format("{}/frond-{}-", parent.empty() ? folder_for_temporaries() : parent, purpose)) {
  path_.append(6, 'X');  // mkdtemp replaces them by letters
  if (mkdtemp(path_.data()) == nullptr) {
    throw OutputError(fmt::format("{}: no folder can be made: {}{}", path_, std::strerror(errno),
                                  parent.empty() ? "; TMPDIR names another place" : ""));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace frond
