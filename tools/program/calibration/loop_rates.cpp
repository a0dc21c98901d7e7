// SPDX-License-Identifier: BSD-3-Clause
// Times sleeps like those of the main loop.
#include "tools/program/calibration/loop_rates.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "factorization/ranks/call_queue.hpp"
#include "factorization/ranks/rank_driver.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace frond {

double measure_wake_delay(const CalibrationEffort& effort) {
  constexpr int kSleeps = 100;  // per repetition
  const auto asked = RankDriverOptions().shortest_period;
  CallQueue calls;
  std::vector<double> seconds;
  for (int sleep = 0; sleep < kSleeps * effort.least_repetitions; ++sleep) {
    const Stopwatch watch;
    calls.wait_for(asked);
    seconds.push_back(watch.seconds());
  }
  return std::max(0.0, median(seconds) - std::chrono::duration<double>(asked).count());
}

}  // namespace frond
