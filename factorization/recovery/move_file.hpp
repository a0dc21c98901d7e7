// SPDX-License-Identifier: BSD-3-Clause
// A part of a front on its way from one rank to another through a file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "factorization/recovery/recovery_plan.hpp"

namespace frond {

/// The file of a part in a folder that both ranks see.
[[nodiscard]] std::string move_file(const std::string& folder, const MovedPart& part);

/// Writes what read(offset, bytes) fills, some MiB at a time, and puts it on the disk. Throws OutputError, and leaves no file then.
void write_move_file(const std::string& path, Count total_bytes,
                     const std::function<void(Count offset, std::span<std::byte> bytes)>& read);

/// Hands what is in the file to write(offset, bytes), and removes it. Throws InputError if it is not as long, or cannot be read.
void read_move_file(const std::string& path, Count total_bytes,
                    const std::function<void(Count offset, std::span<const std::byte> bytes)>& write);

/// Where files of parts are: in the file system, unless time is virtual.
class MoveFiles {
 public:
  MoveFiles() = default;
  MoveFiles(const MoveFiles&) = delete;
  MoveFiles& operator=(const MoveFiles&) = delete;
  virtual ~MoveFiles() = default;

  virtual void write(const std::string& path, Count total_bytes,
                     const std::function<void(Count offset, std::span<std::byte> bytes)>& read) {
    write_move_file(path, total_bytes, read);
  }
  virtual void read(const std::string& path, Count total_bytes,
                    const std::function<void(Count offset, std::span<const std::byte> bytes)>& write) {
    read_move_file(path, total_bytes, write);
  }
};

}  // namespace frond
