// SPDX-License-Identifier: BSD-3-Clause
// Runs any mechanism for long over the virtual network, driven from a seed as an engine would drive it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "loadinfo/channel_sink.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond::test {

struct RandomRunSetup {
  LoadExchangeOptions options;
  Rank num_ranks = 1;
  int decisions_per_rank = 1;
  bool one_master = false;  ///< only rank 0 decides
  Count buffer_bytes = 64;  ///< of each rank on each channel
  std::uint32_t seed = 0;
  std::function<std::unique_ptr<LoadExchange>(const LoadExchangeOptions&, Rank, Rank, LoadSink&)> make = make_load_exchange;
};

struct RandomRun {
  std::string failure;       ///< empty if every check held
  LoadMessageCounts counts;  ///< of all ranks
  Count num_decisions = 0;
  Count num_candidates = 0;  ///< of all decisions together
  Count num_slaves = 0;      ///< of all decisions together
  Count num_refused = 0;     ///< messages that found a buffer full
  Count most_overtaken = 0;  ///< decisions taken by others between a request and its decision, at most
  Count num_negative = 0;    ///< times that a rank's own load was negative
};

/// Runs until all decisions are taken, all tasks have ended and nothing is under way. Checks, where the mechanism promises it, that
/// decisions see all reservations before them, that loads are right at rest and views within the threshold, and that no rank waits
/// forever.
///
/// Bytes of loads change by reservations only, so that at any time an exact view shows the sum of all reservations on a rank; flops
/// come and go with tasks, whose costs differ from what was reserved.
[[nodiscard]] RandomRun run_randomly(const RandomRunSetup& setup);

}  // namespace frond::test
