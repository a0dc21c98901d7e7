// SPDX-License-Identifier: BSD-3-Clause
// The address that a process of a mesh leaves in the directory for the others.
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

/// Writes a file that only the user can read and that appears as a whole. Throws OutputError.
void write_address(const std::string& path, const MeshAddress& address);

/// Reads what write_address() wrote to `path`; throws CommunicationError for anything else.
[[nodiscard]] MeshAddress parse_address(const std::string& text, const std::string& path);

}  // namespace frond
