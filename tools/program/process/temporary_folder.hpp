// SPDX-License-Identifier: BSD-3-Clause
// A folder for files that nobody needs afterwards.
#pragma once

#include <string>

namespace frond {

/// Where the system has its temporary files. Throws OutputError.
[[nodiscard]] std::string folder_for_temporaries();

/// Made empty and for this user alone, removed with all that is in it at the end.
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
