// SPDX-License-Identifier: BSD-3-Clause
// Describes the contents of a checkpoint directory, for people.
#pragma once

#include <string>
#include <vector>

#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// A factorization in a checkpoint.
struct AttemptInfo {
  std::string about;                    ///< by which method, in which precision
  std::string outcome;                  ///< how it ended without factors; empty: it has not
  std::string damage;                   ///< why it cannot be continued; empty: it can
  bool is_of_another_analysis = false;  ///< its fronts differ, and were not examined
  Index run = 0;                        ///< of the last list; 0: no list
  Index list = 0;
  Index num_fronts = 0;  ///< that need not be executed again
  double flops = 0;      ///< of these
  Count bytes_on_disk = 0;
};

struct CheckpointInfo {
  bool is_begun = false;  ///< the analysis exists, and all fields below
  bool is_in_use = false;
  SavedSystem system;
  Index order = 0;
  Count num_entries = 0;
  Index num_fronts = 0;
  double flops = 0;  ///< of all fronts, without delayed pivots
  std::vector<AttemptInfo> attempts;
};

/// Throws InputError if there is no checkpoint, or its system is damaged.
[[nodiscard]] CheckpointInfo read_checkpoint_info(const std::string& path);

}  // namespace frond
