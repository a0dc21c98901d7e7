// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads files sequentially, each read once.
#include "factorization/recovery/move_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "frond/error.hpp"
#include "matrices/log_file.hpp"

namespace frond {
namespace {

constexpr Count kBytesAtATime = Count{4} << 20;

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}  // NOLINT: POSIX
  ~Descriptor() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// Returns false if the file ends before, or cannot be read.
bool read_all(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t length = ::read(file, bytes.data(), bytes.size());
    if (length == 0 || (length < 0 && errno != EINTR)) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, length)));
  }
  return true;
}

}  // namespace

std::string move_file(const std::string& folder, const MovedPart& part) {
  return fmt::format("{}/move-{}-{}-{}.tmp", folder, part.node, part.role == PartRole::slave ? "rows" : "front", part.from);
}

void MoveFiles::write(const std::string& path, Count total_bytes, const Read& read) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  bool is_good = file.get() >= 0;
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(total_bytes, kBytesAtATime)));
  for (Count offset = 0; offset < total_bytes && is_good; offset += kBytesAtATime) {
    const std::span<std::byte> piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min(kBytesAtATime, total_bytes - offset)));
    read(offset, piece);
    is_good = write_all(file.get(), piece) == piece.size();
  }
  if (!is_good || fsync(file.get()) != 0) {
    const int error = errno;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw OutputError(fmt::format("{}: a front that is to move cannot be written: {}", path, std::strerror(error)));
  }
}

void MoveFiles::read(const std::string& path, Count total_bytes, const Write& write) {
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0) {
    throw InputError(path, 0, fmt::format("a front that another process has written cannot be read: {}", std::strerror(errno)));
  }
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(total_bytes, kBytesAtATime)));
  for (Count offset = 0; offset < total_bytes; offset += kBytesAtATime) {
    const std::span<std::byte> piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min(kBytesAtATime, total_bytes - offset)));
    if (!read_all(file.get(), piece)) {
      throw InputError(path, 0, "ends too early: do all processes see the same directory?");
    }
    write(offset, piece);
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace frond
