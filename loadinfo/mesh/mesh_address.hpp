// SPDX-License-Identifier: BSD-3-Clause
// What a process of a mesh leaves in the directory, so that others reach it.
#pragma once

#include <cstdint>
#include <string>

namespace frond {

struct MeshAddress {
  /// Where messages of a lane are received.
  struct Lane {
    std::string name;  ///< of a socket of the machine
    int port = 0;      ///< on the machine, if it is named
  };

  std::uint64_t token = 0;  ///< that of rank 0 is in each message of the run
  std::string key = {};     ///< with which messages to the process are encrypted; empty: all are on one machine
  std::string machine = {};
  Lane signs = {};
  Lane work = {};
};

/// Writes the file, which nobody but the user reads; it is there as a whole or not at all. Throws OutputError.
void write_address(const std::string& path, const MeshAddress& address);

/// `path` is where the text was found. Throws CommunicationError for what write_address() does not write.
[[nodiscard]] MeshAddress parse_address(const std::string& text, const std::string& path);

}  // namespace frond
