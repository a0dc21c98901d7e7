// SPDX-License-Identifier: BSD-3-Clause
// Writes files such as a system might show, in a separate folder.
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

  /// `name` is relative to the root; folders are created as needed.
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text;
  }

 private:
  testing::ScratchFolder folder_;
};

}  // namespace frond::test
