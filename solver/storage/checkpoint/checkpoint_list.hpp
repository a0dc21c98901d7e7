// SPDX-License-Identifier: BSD-3-Clause
// The list of the logs of a factorization: a small file that exists as a whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// A log that a list names.
struct ListedLog {
  std::string stem;           ///< of its files' names, in the directory of the list, up to the dot
  Index run = 0;              ///< that wrote it
  Count num_index_bytes = 0;  ///< complete ones; at least this many, if the log is open
  bool is_open = false;       ///< it was growing when the list was made

  friend bool operator==(const ListedLog&, const ListedLog&) = default;
};

/// The lists of a run, one after the other. A run is one start of a program, or its resumption.
struct CheckpointList {
  Index run = 0;
  Index number = 0;  ///< in its run
  std::uint64_t key = 0;
  std::vector<ListedLog> logs;  ///< of this run and the earlier ones

  friend bool operator==(const CheckpointList&, const CheckpointList&) = default;
};

/// Gives the list its name, "list.RUN.NUMBER", once it is on the disk; returns false if that name is taken already. Lists before it
/// in the order of runs and numbers are then removed. Throws OutputError; then the earlier lists are unchanged.
[[nodiscard]] bool seal(const std::string& directory, const CheckpointList& list);

/// The last list that can be read, if there is any list. Throws InputError if there are lists, but none is valid.
[[nodiscard]] std::optional<CheckpointList> last_list(const std::string& directory);

}  // namespace frond
