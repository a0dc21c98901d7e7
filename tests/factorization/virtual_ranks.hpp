// SPDX-License-Identifier: BSD-3-Clause
// A factorization over virtual ranks on one thread, real numerics, in an order of events that is drawn from a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "analysis/mapping.hpp"
#include "factorization/factorize.hpp"
#include "factorization/failure.hpp"

namespace frond::test {

struct VirtualRun {
  std::uint32_t seed = 0;
  Count buffer_bytes = Count{1} << 20;  ///< that a rank may have under way
  Count piece_bytes = Count{1} << 12;
  /// Called before each job of a rank; what it throws is thrown by the job.
  std::function<void(Rank)> before_job = [](Rank) {};
  /// Whether the message that a rank is about to receive arrives as something that is none.
  std::function<bool(Rank)> is_garbled = [](Rank) { return false; };
};

struct VirtualRunCounts {
  Count messages = 0;
  Count refused_sends = 0;
  Count announced_delays = 0;  ///< outputs with delayed pivots that went from rank to rank
};

template <Scalar S>
struct VirtualRunResult {
  std::optional<Factors<S>> factors;  ///< of all ranks, unless the run failed
  FactorizationReport report;         ///< parts of all ranks added up
  std::optional<Failure> failure;
  VirtualRunCounts counts;
  std::shared_ptr<void> memory;  ///< behind the factors
};

/// Factorizes over the ranks of the mapping. Reports to GoogleTest when nothing can happen any more though ranks have not ended,
/// when ranks end with different failures, or when messages are left over.
template <Scalar S>
[[nodiscard]] VirtualRunResult<S> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                                             const SparseMatrix<S>& a, const Mapping& mapping,
                                                             const VirtualRun& run);

}  // namespace frond::test
