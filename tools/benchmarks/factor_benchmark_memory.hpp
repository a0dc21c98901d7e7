// SPDX-License-Identifier: BSD-3-Clause
// Comparing the memory that Frond predicts with what the operating system sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/benchmarks/factor_benchmark_problem.hpp"

namespace frond {

/// Resident memory of a process that factorizes one problem for the first time, in bytes.
struct MemoryComparison {
  std::string problem;
  std::string method;
  int num_threads = 1;
  Count before_bytes = 0;     ///< right before the factorization
  Count estimated_bytes = 0;  ///< the peak expected: before_bytes and the estimate
  Count peak_bytes = 0;       ///< the peak seen

  [[nodiscard]] double ratio() const { return static_cast<double>(peak_bytes) / static_cast<double>(estimated_bytes); }
};

/// On one thread and on kManyThreads, each in a fresh process. Throws frond::Error when a process fails.
[[nodiscard]] std::vector<MemoryComparison> compare_memory(const ProblemName& problem, std::optional<Method> method);

}  // namespace frond
