// SPDX-License-Identifier: BSD-3-Clause
// How fast a disk takes what a checkpoint writes.
#pragma once

#include <string>

namespace frond {

struct DiskRates {
  double bytes_per_second = 0;  ///< written, and put on the disk
  double seconds_per_list = 0;  ///< that names the logs
};

/// Measures the disk of a folder for a second or two, by what checkpoints are written with, and leaves nothing behind. Throws
/// OutputError where nothing can be written.
[[nodiscard]] DiskRates measure_disk(const std::string& folder);

}  // namespace frond
