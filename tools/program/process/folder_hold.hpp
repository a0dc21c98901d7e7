// SPDX-License-Identifier: BSD-3-Clause
// Marks folders in memory as in use, and removes those that killed processes left.
#pragma once

#include <string>

namespace frond {

/// Shows that a folder is in use as long as the object and the process live. Several may hold one folder.
class FolderHold {
 public:
  /// Holds an existing folder. On file systems without such locks, which memory file systems have, it shows nothing.
  explicit FolderHold(const std::string& path);
  ~FolderHold();
  FolderHold(const FolderHold&) = delete;
  FolderHold& operator=(const FolderHold&) = delete;

 private:
  int folder_ = -1;
};

/// Removes this user's folders in `parent` whose names begin with `name_begin`, that nobody holds, and that are more than a minute
/// old.
void remove_abandoned_folders(const std::string& parent, const std::string& name_begin);

}  // namespace frond
