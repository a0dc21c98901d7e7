// SPDX-License-Identifier: BSD-3-Clause
// Files as a system might show them, in a folder of their own.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/programs/scratch_folder.hpp"

namespace frond::test {

/// The root of an imaginary system.
class SystemTree {
 public:
  [[nodiscard]] std::filesystem::path root() const { return folder_.path(""); }

  /// `name` relative to the root, with folders that are made as needed.
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text;
  }

 private:
  testing::ScratchFolder folder_;
};

}  // namespace frond::test
