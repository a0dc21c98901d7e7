// SPDX-License-Identifier: BSD-3-Clause
// The list that names the logs of a factorization: a small file that is there as a whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// A log that a list names.
struct ListedLog {
  std::string stem;           ///< its files' names, in the directory of the list, up to the dot
  Index run = 0;              ///< that has written it
  Count num_index_bytes = 0;  ///< that are complete; at least so many, if the log is open
  bool is_open = false;       ///< it was growing when the list was made

  friend bool operator==(const ListedLog&, const ListedLog&) = default;
};

/// The lists of a run, one after the other. A run is what one start of a program, or its resumption, does.
struct CheckpointList {
  Index run = 0;
  Index number = 0;  ///< in its run
  std::uint64_t key = 0;
  std::vector<ListedLog> logs;  ///< of this run and those before it

  friend bool operator==(const CheckpointList&, const CheckpointList&) = default;
};

/// Gives the list its name, "list.RUN.NUMBER", when it is on the disk, and false if that name is taken already. Lists before it in
/// the order of runs and numbers go afterwards. Throws OutputError; then the lists before it are as they were.
[[nodiscard]] bool seal(const std::string& directory, const CheckpointList& list);

/// The last list that can be read; none, if there is no list. Throws InputError if there are lists, and not one is good.
[[nodiscard]] std::optional<CheckpointList> last_list(const std::string& directory);

}  // namespace frond
