// SPDX-License-Identifier: BSD-3-Clause
// Creates a folder with mkdtemp, and removes it with remove_all.
#include "tests/support/programs/scratch_folder.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace frond::testing {

ScratchFolder::ScratchFolder() : folder_((std::filesystem::temp_directory_path() / "frond-test-").string() + std::string(6, 'X')) {
  if (mkdtemp(folder_.data()) == nullptr) {
    throw std::runtime_error("no folder can be made in " + folder_);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::path(std::string_view name) const { return folder_ + "/" + std::string(name); }

std::string ScratchFolder::write(std::string_view name, std::string_view text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

std::string ScratchFolder::read(std::string_view name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int ScratchFolder::num_files() const {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
}

}  // namespace frond::testing
