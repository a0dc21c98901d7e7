// SPDX-License-Identifier: BSD-3-Clause
// Moves a part of a front from one rank to another through a file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "factorization/recovery/recovery_plan.hpp"

namespace frond {

/// Returns the path of a part's file in a folder that both ranks see.
[[nodiscard]] std::string move_file(const std::string& folder, const MovedPart& part);

/// Stores files of parts: in the file system, unless time is virtual.
class MoveFiles {
 public:
  using Read = std::function<void(Count offset, std::span<std::byte> bytes)>;
  using Write = std::function<void(Count offset, std::span<const std::byte> bytes)>;

  MoveFiles() = default;
  MoveFiles(const MoveFiles&) = delete;
  MoveFiles& operator=(const MoveFiles&) = delete;
  virtual ~MoveFiles() = default;

  /// Writes the bytes that read(offset, bytes) fills in, a few MiB at a time, and flushes them to the disk. Throws OutputError, and
  /// then leaves no file.
  virtual void write(const std::string& path, Count total_bytes, const Read& read);
  /// Passes the content of the file to write(offset, bytes), and removes the file. Throws InputError if its length differs, or it
  /// cannot be read.
  virtual void read(const std::string& path, Count total_bytes, const Write& write);
};

}  // namespace frond
