// SPDX-License-Identifier: BSD-3-Clause
// Writes a temporary file and links it to its name.
#include "matrices/sealed_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <span>
#include <system_error>

#include "frond/error.hpp"
#include "matrices/log_file.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// Where links are not supported, renames the file if the name is not taken.
bool give_name(const std::string& temporary, const std::string& name) {
  if (link(temporary.c_str(), name.c_str()) == 0) {
    return true;
  }
  if (errno == EEXIST) {
    return false;
  }
  const bool has_no_links = errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS;
  if (!has_no_links || access(name.c_str(), F_OK) == 0 || rename(temporary.c_str(), name.c_str()) != 0) {
    throw OutputError(fmt::format("{}: cannot be named: {}", name, std::strerror(errno)));
  }
  return true;
}

}  // namespace

bool seal_file(const std::string& path, const std::string& text) {
  std::random_device device;  // process ids are not unique across machines
  const std::string temporary = fmt::format("{}.{:016x}.tmp", path, std::uint64_t{device()} << 32U | device());
  std::error_code ignored;
  bool is_sealed = false;
  try {
    {
      LogFile file(temporary, LogFile::Mode::create);
      file.append(std::as_bytes(std::span(text)));
      file.sync();
    }
    is_sealed = give_name(temporary, path);
    sync_directory(fs::path(path).parent_path().string());
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
  fs::remove(temporary, ignored);
  return is_sealed;
}

}  // namespace frond
