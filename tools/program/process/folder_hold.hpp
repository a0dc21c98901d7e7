// SPDX-License-Identifier: BSD-3-Clause
// Folders in memory that a process which was killed has left.
#pragma once

#include <string>

namespace frond {

/// Shows as long as it lives, or the process does, that a folder is in use. Several may hold one.
class FolderHold {
 public:
  /// Holds a folder that is there. On file systems without such locks, which are not those in memory, it shows nothing.
  explicit FolderHold(const std::string& path);
  ~FolderHold();
  FolderHold(const FolderHold&) = delete;
  FolderHold& operator=(const FolderHold&) = delete;

 private:
  int folder_ = -1;
};

/// Removes this user's folders in `parent` whose names begin so, which nobody holds, and which were made more than a minute ago.
void remove_abandoned_folders(const std::string& parent, const std::string& name_begin);

}  // namespace frond
