// SPDX-License-Identifier: BSD-3-Clause
// Predicts how much memory a factorization will take.
#pragma once

#include "analysis/symbolic.hpp"
#include "factorization/scheduling/engine.hpp"

namespace frond {

/// Memory that factorizing takes with a number of threads when no pivot is delayed, in bytes.
struct MemoryEstimate {
  Count factor_bytes = 0;  ///< the factors, as far as they are kept
  Count active_bytes = 0;  ///< expected peak of contribution blocks, workspaces, and fronts that are not kept, from a run of the
                           ///< schedule on ghosts
  Count sequential_bytes = 0;   ///< the same when tasks run one after the other; with less, factorizing is impossible
  Count upper_bound_bytes = 0;  ///< factors and active memory for the worst timing of the threads
  Count arena_bytes = 0;        ///< part of active_bytes: contribution blocks between tasks, and fronts that are not kept

  [[nodiscard]] Count peak_bytes() const { return factor_bytes + active_bytes; }
  [[nodiscard]] Count least_bytes() const { return factor_bytes + sequential_bytes; }
};

/// Predicts the memory of factorize(). `num_threads` >= 1.
[[nodiscard]] MemoryEstimate estimate_memory(const Symbolic& symbolic, Method method, Count scalar_bytes, int num_threads,
                                             KeptFactors kept = KeptFactors::all);

/// The same for an existing task graph and this part of the factors; `ahead_limit_bytes` as in EngineOptions.
[[nodiscard]] MemoryEstimate estimate_memory(const AssemblyTree& tree, const TaskGraph& graph, Method method, Count scalar_bytes,
                                             int num_threads, KeptFactors kept = KeptFactors::all, Count ahead_limit_bytes = -1);

}  // namespace frond
