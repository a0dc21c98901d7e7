// SPDX-License-Identifier: BSD-3-Clause
// A log and some lists, in a folder of their own.
#include "tools/calibration/disk_rates.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/checkpoint/checkpoint_list.hpp"
#include "solver/checkpoint/log_file.hpp"
#include "solver/checkpoint/log_queue.hpp"

namespace frond {
namespace {

constexpr Count kMostBytes = Count{1} << 30;
constexpr double kMostSeconds = 1;  // of writing, then what is still on its way is waited for
constexpr Index kNumLists = 8;

class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& folder) : path_(folder + "/frond-disk-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
      throw OutputError(fmt::format("{}: a checkpoint cannot be written there: {}", folder, std::strerror(errno)));
    }
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

DiskRates measure_disk(const std::string& folder) {
  const ScratchDirectory scratch(folder);
  DiskRates rates;
  {
    // Not zeros, which some file systems do not write.
    std::vector<std::byte> bytes(static_cast<std::size_t>(kLogBytesAtATime));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13U);
    }
    LogFile file(scratch.path() + "/log", LogFile::Mode::create);
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
