// SPDX-License-Identifier: BSD-3-Clause
// Factorizes over virtual ranks in virtual time, with or without entries: durations come from a model, so that runs are
// reproducible.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/messages/counted_channel.hpp"

namespace frond::test {

struct TimedRunResult {
  std::vector<std::string> complaints;   ///< ranks that failed or did not end, with the reasons
  double seconds = 0;                    ///< virtual, until the last rank has ended
  double flops = 0;                      ///< of all ranks
  std::vector<Count> peak_bytes;         ///< [rank]
  std::vector<Count> peak_active_bytes;  ///< [rank], without the factors
  Count bytes_left = 0;                  ///< of active memory, of all ranks
  TrafficCounts messages;                ///< on the main channel, of all ranks
  Count num_decisions = 0;
  Count num_refusals = 0;
};

/// Returns the messages of the kind that main_message_name() spells as `name`, and their bytes.
[[nodiscard]] MessageCounts messages_named(const TrafficCounts& traffic, std::string_view name);

/// Every rank has one worker, which runs the event loop whenever it has no job, and serves loads as messages arrive. An engine
/// learns a job's results when the job's time is over. `memory_limit` of each rank; 0: none.
[[nodiscard]] TimedRunResult run_ghosts(const Symbolic& symbolic, Method method, Count scalar_bytes, const Mapping& mapping,
                                        Count memory_limit);

/// The same with entries: a job takes the time of the flops that it reports by the model of analysis/tree/front_cost.hpp, plus a
/// small constant; the parts of a row-distributed front report at their last step. No root may be on a grid.
[[nodiscard]] TimedRunResult run_real_fronts(const Symbolic& symbolic, Method method, const SparseMatrix<double>& a,
                                             const Mapping& mapping);

}  // namespace frond::test
