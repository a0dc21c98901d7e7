// SPDX-License-Identifier: BSD-3-Clause
// Measures how fast a disk takes the data of a checkpoint.
#pragma once

#include <string>

namespace frond {

struct DiskRates {
  double bytes_per_second = 0;  ///< written and synchronized to disk
  double seconds_per_list = 0;  ///< for a list that names the logs
};

/// Measures the disk of a folder for a second or two, with the same writes as checkpoints, and leaves nothing behind. Throws
/// OutputError if nothing can be written.
[[nodiscard]] DiskRates measure_disk(const std::string& folder);

}  // namespace frond
