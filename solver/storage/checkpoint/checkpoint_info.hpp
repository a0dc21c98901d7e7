// SPDX-License-Identifier: BSD-3-Clause
// What there is in the directory of a checkpoint, for people.
#pragma once

#include <string>
#include <vector>

#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// A factorization in a checkpoint.
struct AttemptInfo {
  std::string about;                    ///< by which method, in which precision
  std::string outcome;                  ///< how it ended without factors; empty: it did not
  std::string damage;                   ///< why nobody can go on with it; empty: all is well
  bool is_of_another_analysis = false;  ///< its fronts are others, and were not looked at
  Index run = 0;                        ///< of the last list; 0: there is none
  Index list = 0;
  Index num_fronts = 0;  ///< from which it goes on
  double flops = 0;      ///< of these
  Count bytes_on_disk = 0;
};

struct CheckpointInfo {
  bool is_begun = false;  ///< the analysis is there, and all that follows
  bool is_in_use = false;
  SavedSystem system;
  Index order = 0;
  Count num_entries = 0;
  Index num_fronts = 0;
  double flops = 0;  ///< of all fronts, without delayed pivots
  std::vector<AttemptInfo> attempts;
};

/// Throws InputError where there is no checkpoint, or what it is of is damaged.
[[nodiscard]] CheckpointInfo read_checkpoint_info(const std::string& path);

}  // namespace frond
