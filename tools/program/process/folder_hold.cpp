// SPDX-License-Identifier: BSD-3-Clause
// Locks the folder itself; the system releases the lock however a process ends.
#include "tools/program/process/folder_hold.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "matrices/folder_paths.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t kLeastAgeSeconds = 60;  // a process that has just made one may not hold it yet

int open_folder(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
}

}  // namespace

FolderHold::FolderHold(const std::string& path) : folder_(open_folder(path)) {
  if (folder_ >= 0) {
    (void)flock(folder_, LOCK_SH);
  }
}

FolderHold::~FolderHold() {
  if (folder_ >= 0) {
    close(folder_);
  }
}

void remove_abandoned_folders(const std::string& parent, const std::string& name_begin) {
  std::error_code error;
  for (const fs::path& found : paths_in(parent, error)) {
    if (!found.filename().string().starts_with(name_begin)) {
      continue;
    }
    const int folder = open_folder(found.string());
    struct stat facts {};
    if (folder >= 0 && fstat(folder, &facts) == 0 && facts.st_uid == geteuid() &&
        std::time(nullptr) - facts.st_mtime > kLeastAgeSeconds && flock(folder, LOCK_EX | LOCK_NB) == 0) {
      fs::remove_all(found, error);
    }
    if (folder >= 0) {
      close(folder);
    }
  }
}

}  // namespace frond
