// SPDX-License-Identifier: BSD-3-Clause
// Factorizes over virtual ranks in virtual time: real numerics, durations from a model, so that runs are reproducible.
#pragma once

#include <cstdint>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/messages/counted_channel.hpp"
#include "tests/support/ranks/timed_network.hpp"
#include "tests/support/ranks/view_meter.hpp"

namespace frond::test {

struct TimedRun {
  LoadExchangeOptions exchange;
  Schedule schedule = Schedule::flops;
  TimedNetworkOptions network = {};
  double noise = 0;  ///< jobs take up to this fraction more or less than their work requires, as drawn from the seed
  std::uint32_t seed = 0;
};

struct TimedRunResult {
  double seconds = 0;           ///< virtual, until the last rank has ended
  Count peak_active_bytes = 0;  ///< of the rank that held most: contribution blocks and workspaces
  LoadMessageCounts load_messages;
  TrafficCounts main_messages;
  double blocked_seconds = 0;  ///< of all ranks together, in snapshots
  Count num_decisions = 0;
  Count num_slaves = 0;
  ErrorSummary view_flops;  ///< errors of the views by which slaves were chosen
  ErrorSummary view_bytes;
};

/// Every rank has one worker, which runs the event loop whenever it has no job, and a load thread, which takes load messages as
/// they arrive. A job takes the time that the model of analysis/tree/front_cost.hpp gives for the flops it reports, plus a small
/// constant; the parts of a row-distributed front report at their last step. The engine learns a job's results when the job's time
/// is over.
///
/// Throws InternalError if a rank fails or does not end.
template <Scalar S>
[[nodiscard]] TimedRunResult factorize_in_virtual_time(const Symbolic& symbolic, Method method, const SparseMatrix<S>& a,
                                                       const Mapping& mapping, const TimedRun& run);

}  // namespace frond::test
