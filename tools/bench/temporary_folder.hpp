// SPDX-License-Identifier: BSD-3-Clause
// A folder for files that nobody needs afterwards.
#pragma once

#include <string>

namespace frond {

/// Made empty where the system has its temporary files, removed with all that is in it at the end. Throws OutputError.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace frond
