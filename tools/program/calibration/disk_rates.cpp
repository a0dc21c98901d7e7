// SPDX-License-Identifier: BSD-3-Clause
// Writes a log and several lists in a temporary folder.
#include "tools/program/calibration/disk_rates.hpp"

#include <vector>

#include "matrices/log_file.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/storage/checkpoint/checkpoint_list.hpp"
#include "solver/storage/checkpoint/log_queue.hpp"
#include "tools/program/process/temporary_folder.hpp"

namespace frond {
namespace {

constexpr Count kMostBytes = Count{1} << 30;
constexpr double kMostSeconds = 1;  // of writing, before waiting for pending writes
constexpr Index kNumLists = 8;

}  // namespace

DiskRates measure_disk(const std::string& folder) {
  const TemporaryFolder scratch("disk", folder);
  DiskRates rates;
  {
    // Not zeros, which some file systems do not write.
    std::vector<std::byte> bytes(static_cast<std::size_t>(kLogBytesAtATime));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13U);
    }
    LogFile file(scratch.file("log"), LogFile::Mode::create);
    const double begin = steady_seconds();
    while (file.num_bytes() < kMostBytes && steady_seconds() - begin < kMostSeconds) {
      file.append(bytes);
    }
    file.sync();
    rates.bytes_per_second = static_cast<double>(file.num_bytes()) / (steady_seconds() - begin);
  }
  const double begin = steady_seconds();
  for (Index number = 0; number < kNumLists; ++number) {
    static_cast<void>(seal(scratch.path(), {.run = 1, .number = number, .key = 0, .logs = {}}));
  }
  rates.seconds_per_list = (steady_seconds() - begin) / kNumLists;
  return rates;
}

}  // namespace frond
