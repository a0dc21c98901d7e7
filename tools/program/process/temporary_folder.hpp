// SPDX-License-Identifier: BSD-3-Clause
// Makes folders for temporary files.
#pragma once

#include <string>

namespace frond {

/// Returns the system's folder for temporary files. Throws OutputError.
[[nodiscard]] std::string folder_for_temporaries();

/// An empty folder, accessible to this user only, which the destructor removes with its content.
class TemporaryFolder {
 public:
  /// `purpose` is a part of its name. `parent` is empty for folder_for_temporaries(). Throws OutputError.
  explicit TemporaryFolder(const std::string& purpose, const std::string& parent = {});
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace frond
