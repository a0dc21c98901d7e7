// SPDX-License-Identifier: BSD-3-Clause
// What factor_benchmark prints, writes and checks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/benchmarks/factor_benchmark_comparison.hpp"
#include "tools/benchmarks/factor_benchmark_memory.hpp"

namespace frond {

/// What Frond claims; --perf-check holds it to that.
struct PerformanceTargets {
  double largest_ratio_to_best_peer = 1.3;  ///< of wall times on one thread
  double least_speed_up = 1.6;              ///< on kManyThreads
  double largest_memory_deviation = 0.1;    ///< of the peak from the estimate, relative to the estimate
};

/// One line per peer that this build lacks, naming its Debian package; empty when there are all.
[[nodiscard]] std::string missing_peers();

/// A table for people; ends with a newline.
[[nodiscard]] std::string describe(const Comparison& comparison);
[[nodiscard]] std::string describe(const std::vector<MemoryComparison>& comparisons);

[[nodiscard]] nlohmann::json to_json(const Comparison& comparison);
[[nodiscard]] nlohmann::json to_json(const MemoryComparison& comparison);

/// Whether the targets are met; never when a solver failed.
[[nodiscard]] bool meets(const PerformanceTargets& targets, const Comparison& comparison);
[[nodiscard]] bool meets(const PerformanceTargets& targets, const MemoryComparison& comparison);

}  // namespace frond
