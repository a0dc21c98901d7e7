// SPDX-License-Identifier: BSD-3-Clause
// A file that grows at its end and can be read anywhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// Appended bytes are on disk only after sync() has returned. One thread appends; sync(), release() and read() may run
/// concurrently with it.
class LogFile {
 public:
  enum class Mode { create, read };

  /// Creates the file, which must not exist, or opens one for reading and, if permitted, for release(). Throws OutputError or
  /// InputError.
  LogFile(std::string path, Mode mode);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }  ///< appended, or found in an existing file

  /// Throws OutputError, for example if the disk is full.
  void append(std::span<const std::byte> bytes);
  void sync() const;

  /// Throws InputError if the file ends earlier.
  void read(Count offset, std::span<std::byte> bytes) const;

  /// Removes everything after the first `num_bytes` bytes.
  void cut_to(Count num_bytes) noexcept;

  /// Returns the disk space of bytes that nobody will read any more, if the file system supports that.
  void release(Count offset, Count num_bytes) const noexcept;

 private:
  [[noreturn]] void refuse(const char* what) const;
  void start_writing();

  std::string path_;
  int file_ = -1;
  Count num_bytes_ = 0;
  Count num_started_ = 0;  // bytes whose write-back has been started
};

/// Writes to an open file. Returns how many bytes were written: fewer than all only after an error, which errno names.
[[nodiscard]] std::size_t write_all(int file, std::span<const std::byte> bytes);

/// Makes the names in a directory durable. Throws OutputError.
void sync_directory(const std::string& path);

}  // namespace frond
