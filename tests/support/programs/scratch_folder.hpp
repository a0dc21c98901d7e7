// SPDX-License-Identifier: BSD-3-Clause
// Provides a folder for the files of one test.
#pragma once

#include <string>
#include <string_view>

namespace frond::testing {

/// Creates an empty folder, and removes it with all its contents at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string path(std::string_view name) const;
  /// Writes a file and returns its path.
  std::string write(std::string_view name, std::string_view text) const;
  [[nodiscard]] std::string read(std::string_view name) const;
  [[nodiscard]] int num_files() const;

 private:
  std::string folder_;
};

}  // namespace frond::testing
