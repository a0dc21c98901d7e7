// SPDX-License-Identifier: BSD-3-Clause
// Holds the reports that figures are taken from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "analysis/symbolic.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
#include "frond/report.hpp"
#include "frond/types.hpp"

namespace frond {

/// Unknown parts are empty.
struct FigureSources {
  struct OfAnalysis {
    std::shared_ptr<const Symbolic> symbolic;
    Method method = Method::lu;
    Count scalar_bytes = 0;
    int num_threads = 1;
    KeptFactors kept = KeptFactors::all;

    [[nodiscard]] FactorizationEstimate estimate() const { return symbolic->estimate(method); }
    [[nodiscard]] MemoryEstimate memory() const { return estimate_memory(*symbolic, method, scalar_bytes, num_threads, kept); }
  };
  std::optional<OfAnalysis> analysis;
  std::optional<SystemReport> factorization;
  std::optional<SolveReport> solve;  ///< of the calling thread
  std::int64_t index_base = 0;
  bool is_complex = false;
};

}  // namespace frond
