// SPDX-License-Identifier: BSD-3-Clause
// Finds the peers: adapters that were built with Frond, and programs that the user names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frond {

/// An executable that implements the protocol of docs/benchmark.md.
struct PeerProgram {
  std::string name;
  std::string executable;

  [[nodiscard]] bool is_frond() const { return name == "frond" || name == "frond_mpi"; }
};

/// An adapter that was not built, since CMake did not find its library.
struct MissingPeer {
  std::string_view name;
  std::string_view debian_package;
};

struct PeerSelection {
  std::vector<PeerProgram> programs;  ///< Frond first, then by name, then the user's
  std::vector<MissingPeer> missing;
};

/// Selects Frond's own adapter, those that `names` lists ("all": all that exist, "none": no others), and those of `additions`,
/// NAME=EXECUTABLE each. Throws UsageError for unknown names, and if Frond's adapter is missing.
[[nodiscard]] PeerSelection select_peers(const std::vector<std::string>& names, const std::vector<std::string>& additions);

}  // namespace frond
