// SPDX-License-Identifier: BSD-3-Clause
// Runs in which every rank, on its own thread or process, takes decisions through a LoadService.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loadinfo/load_service.hpp"

namespace frond::test {

/// Adds the ranks' vectors element by element and gives each rank the sums. Calls `meanwhile` until all ranks are there.
using SumOverRanks = std::function<std::vector<Count>(const std::vector<Count>& mine, const std::function<void()>& meanwhile)>;

struct DecisionRunSetup {
  LoadExchangeOptions exchange;
  LoadServiceOptions service{};
  bool threads_may_call = true;
  int num_decisions = 1;    ///< of each rank that decides
  bool one_master = false;  ///< only rank 0 decides
};

struct DecisionRun {
  std::string failure;      ///< empty if every check held on this rank
  LoadServiceCounts own;    ///< of this rank
  LoadMessageCounts total;  ///< sent by all ranks
};

/// Runs this rank's part. Before each decision its load grows by one flop; each decision reserves one byte on every other rank.
/// Checks the loads at rest, that maintained views are right at rest, and that decisions by snapshot see each other: the bytes in
/// view give the number of earlier decisions, and over all ranks these numbers must be 0, 1, 2, ... once each.
[[nodiscard]] DecisionRun run_decisions(const DecisionRunSetup& setup, Channel& channel, const SumOverRanks& sum);

}  // namespace frond::test
