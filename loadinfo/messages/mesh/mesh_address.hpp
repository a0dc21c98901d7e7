// SPDX-License-Identifier: BSD-3-Clause
// The address that each process of a mesh leaves in the directory for the others.
#pragma once

#include <cstdint>
#include <string>

namespace frond {

struct MeshAddress {
  /// The endpoint at which messages of a lane are received.
  struct Lane {
    std::string name;  ///< of a socket on this machine
    int port = 0;      ///< TCP port, if the machine has a name
  };

  std::uint64_t token = 0;  ///< the token of rank 0 is in every message of the run
  std::string key = {};     ///< encrypts messages to this process; empty: all are on one machine
  std::string machine = {};
  Lane signs = {};
  Lane work = {};
};

/// Writes a file that only the user can read and that appears completely or not at all. Throws OutputError.
void write_address(const std::string& path, const MeshAddress& address);

/// Reads what write_address() wrote to `path`; throws CommunicationError for anything else.
[[nodiscard]] MeshAddress parse_address(const std::string& text, const std::string& path);

}  // namespace frond
