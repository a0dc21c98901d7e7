// SPDX-License-Identifier: BSD-3-Clause
// Looks in virtual time.
#include "tools/simulation/load_thread_wakes.hpp"

#include <chrono>
#include <utility>

namespace frond {
namespace {

double seconds(WakePeriod::Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

LoadThreadWakes::LoadThreadWakes(Rank num_ranks, const LoadServiceOptions& options)
    : threads_(static_cast<std::size_t>(num_ranks), {WakePeriod(options.shortest_period, options.longest_period)}) {}

double LoadThreadWakes::look_for(Rank rank, double arrival_seconds) {
  Thread& thread = threads_[static_cast<std::size_t>(rank)];
  while (thread.look_seconds < arrival_seconds) {
    thread.look_seconds += seconds(thread.period.after(std::exchange(thread.has_found, false)));
  }
  thread.has_found = true;
  return thread.look_seconds;
}

}  // namespace frond
