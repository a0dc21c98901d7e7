// SPDX-License-Identifier: BSD-3-Clause
// Touches pages and copies blocks, and times sleeps like those of the main loop.
#include "tools/program/calibration/memory_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "factorization/memory/region.hpp"
#include "factorization/ranks/call_queue.hpp"
#include "factorization/ranks/rank_driver.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {
namespace {

constexpr Count kBytes = Count{1} << 28;  // larger than all caches
constexpr Count kPage = 4096;
constexpr std::ptrdiff_t kMessage = std::ptrdiff_t{1} << 20;

}  // namespace

double measure_fresh_memory(const CalibrationEffort& effort) {
  std::optional<Region> region;
  const double seconds = median_seconds(
      effort,
      [&] {
        region.reset();
        region.emplace(kBytes);
      },
      [&] {
        for (Count offset = 0; offset < kBytes; offset += kPage) {
          region->data()[offset] = std::byte{1};
        }
      });
  return static_cast<double>(kBytes) / seconds;
}

// All copies stay until the end, like messages that wait to be sent: their pages are fresh.
double measure_copies(const CalibrationEffort& effort) {
  const std::vector<std::byte> source(static_cast<std::size_t>(kBytes), std::byte{1});
  std::vector<std::vector<std::byte>> copies;
  const double seconds = median_seconds(
      effort,
      [&] {
        copies.clear();
        copies.reserve(static_cast<std::size_t>(kBytes / kMessage));
      },
      [&] {
        for (auto block = source.begin(); block != source.end(); block += kMessage) {
          copies.emplace_back(block, block + kMessage);
        }
      });
  return static_cast<double>(kBytes) / seconds;
}

double measure_wake_delay(const CalibrationEffort& effort) {
  constexpr int kSleeps = 100;  // per repetition
  const auto asked = RankDriverOptions().shortest_period;
  CallQueue calls;
  std::vector<double> seconds;
  for (int sleep = 0; sleep < kSleeps * effort.least_repetitions; ++sleep) {
    const Stopwatch watch;
    calls.wait_for(asked);
    seconds.push_back(watch.seconds());
  }
  return std::max(0.0, median(seconds) - std::chrono::duration<double>(asked).count());
}

}  // namespace frond
