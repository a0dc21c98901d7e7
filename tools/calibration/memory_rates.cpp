// SPDX-License-Identifier: BSD-3-Clause
// Touches pages and copies blocks.
#include "tools/calibration/memory_rates.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include "factorization/region.hpp"

namespace frond {
namespace {

constexpr Count kBytes = Count{1} << 28;  // beyond all caches
constexpr Count kPage = 4096;
constexpr std::size_t kMessage = std::size_t{1} << 16;

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

double measure_copies(const CalibrationEffort& effort) {
  const std::vector<std::byte> source(static_cast<std::size_t>(kBytes), std::byte{1});
  std::vector<std::byte> target(source.size());
  const double seconds = median_seconds(
      effort, [] {},
      [&] {
        for (std::size_t offset = 0; offset < source.size(); offset += kMessage) {
          std::memcpy(target.data() + offset, source.data() + offset, kMessage);
        }
      });
  return static_cast<double>(kBytes) / seconds;
}

}  // namespace frond
