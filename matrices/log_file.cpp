// SPDX-License-Identifier: BSD-3-Clause
// Wraps system calls and their disk errors.
#include "matrices/log_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

[[noreturn]] void refuse_output(const std::string& path, const char* what) {
  const int error = errno;
  const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw OutputError(
      fmt::format("{}: {}: {}{}", path, what, std::strerror(error), is_full ? "; make room, or name a directory elsewhere" : ""));
}

// Devices and some network file systems have nothing to synchronize; that is not an error.
bool is_synchronized(int result) { return result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP; }

}  // namespace

LogFile::LogFile(std::string path, Mode mode) : path_(std::move(path)) {
  const auto open_with = [this](int flags) {
    file_ = open(path_.c_str(), flags | O_CLOEXEC, 0666);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
    return file_ >= 0;
  };
  const bool is_open =
      mode == Mode::create ? open_with(O_RDWR | O_CREAT | O_EXCL) : open_with(O_RDWR) || (errno != ENOENT && open_with(O_RDONLY));
  if (!is_open) {
    if (mode == Mode::create) {
      refuse("cannot be created");
    }
    throw InputError(path_, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  }
  struct stat status {};
  if (fstat(file_, &status) == 0) {
    num_bytes_ = status.st_size;
  }
}

LogFile::~LogFile() { close(file_); }

void LogFile::refuse(const char* what) const { refuse_output(path_, what); }

void LogFile::append(std::span<const std::byte> bytes) {
  const std::size_t num_written = write_all(file_, bytes);
  num_bytes_ += static_cast<Count>(num_written);
  if (num_written < bytes.size()) {
    refuse("cannot be written");
  }
  start_writing();
}

// Starts write-back at once, so that little is left to write when sync() waits for it.
void LogFile::start_writing() {
  constexpr Count kLeastBytes = Count{8} << 20;
  if (num_bytes_ - num_started_ >= kLeastBytes) {
    (void)sync_file_range(file_, num_started_, num_bytes_ - num_started_, SYNC_FILE_RANGE_WRITE);
    num_started_ = num_bytes_;
  }
}

void LogFile::sync() const {
  if (!is_synchronized(fdatasync(file_))) {
    refuse("cannot be written to the disk");
  }
}

void LogFile::read(Count offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t length = pread(file_, bytes.data(), bytes.size(), offset);
    if (length > 0) {
      offset += length;
      bytes = bytes.subspan(static_cast<std::size_t>(length));
    } else if (length == 0) {
      throw InputError(path_, 0, fmt::format("is cut off: {} bytes are missing behind its end", bytes.size()));
    } else if (errno != EINTR) {
      throw InputError(path_, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
    }
  }
}

void LogFile::cut_to(Count num_bytes) noexcept {
  if (ftruncate(file_, num_bytes) == 0 && lseek(file_, num_bytes, SEEK_SET) == num_bytes) {
    num_bytes_ = num_bytes;
    num_started_ = std::min(num_started_, num_bytes);
  }
}

void LogFile::release(Count offset, Count num_bytes) const noexcept {
  (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, num_bytes);
}

std::size_t write_all(int file, std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t length = ::write(file, bytes.data() + done, bytes.size() - done);
    if (length < 0 && errno != EINTR) {
      break;
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(0, length));
  }
  return done;
}

void sync_directory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
  if (directory < 0) {
    refuse_output(path, "cannot be opened");
  }
  const bool is_done = is_synchronized(fsync(directory));
  close(directory);
  if (!is_done) {
    refuse_output(path, "cannot be written to the disk");
  }
}

}  // namespace frond
