// SPDX-License-Identifier: BSD-3-Clause
// A file that grows at its end and is read anywhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// What is appended is on the disk when sync() returns, and not before. One thread appends; sync(), release() and read() may be
/// called beside it.
class LogFile {
 public:
  enum class Mode { create, read };

  /// Creates the file, which must not be there, or opens one for reading, and for release() if that is allowed. Throws OutputError
  /// or InputError.
  LogFile(std::string path, Mode mode);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }  ///< appended, or found

  /// Throws OutputError: a disk that is full, for one thing.
  void append(std::span<const std::byte> bytes);
  void sync() const;

  /// Throws InputError where the file ends earlier.
  void read(Count offset, std::span<std::byte> bytes) const;

  /// Takes back what was appended behind there.
  void cut_to(Count num_bytes) noexcept;

  /// Gives the disk's room for bytes that nobody reads any more back, where the file system can do that.
  void release(Count offset, Count num_bytes) const noexcept;

 private:
  [[noreturn]] void refuse(const char* what) const;
  void start_writing();

  std::string path_;
  int file_ = -1;
  Count num_bytes_ = 0;
  Count num_started_ = 0;  // bytes that the disk has been told to write
};

/// Makes the names in a directory durable. Throws OutputError.
void sync_directory(const std::string& path);

}  // namespace frond
