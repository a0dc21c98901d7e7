// SPDX-License-Identifier: BSD-3-Clause
// Writes to a temporary file next to the target and renames it.
#include "matrices/atomic_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "frond/error.hpp"

namespace frond {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& cause) {
  throw OutputError(fmt::format("{}: {}", path, cause));
}

}  // namespace

void write_atomically(const std::string& path, const std::function<void(const std::string& name)>& write) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    refuse(path, "is a directory: name a file");
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    write(path);
    return;
  }
  const std::filesystem::path target = std::filesystem::weakly_canonical(path);  // through symbolic links
  const std::string temporary = fmt::format("{}.{}.tmp", target.string(), getpid());
  try {
    write(temporary);
    std::filesystem::rename(temporary, target);
  } catch (const std::filesystem::filesystem_error& failure) {
    std::filesystem::remove(temporary, error);
    refuse(path, fmt::format("cannot be replaced: {}", failure.code().message()));
  } catch (...) {
    std::filesystem::remove(temporary, error);
    throw;
  }
}

}  // namespace frond
