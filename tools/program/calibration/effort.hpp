// SPDX-License-Identifier: BSD-3-Clause
// Sets how long a measurement takes and which clock it uses.
#pragma once

#include <ctime>
#include <vector>

#include "frond/types.hpp"
#include "tools/program/bench/statistics.hpp"

namespace frond {

struct CalibrationEffort {
  double least_seconds = 0.04;  ///< of one measurement, all repetitions together
  int least_repetitions = 3;    ///< odd: the median is one of them
  Index largest_order = 4096;   ///< of fronts
  Index model_size = 250;       ///< of the model problem with small fronts
};

/// Counts the processor time of the calling thread since construction: time that other programs take on the core does not count.
class ThreadStopwatch {
 public:
  [[nodiscard]] double seconds() const { return now() - begin_; }

 private:
  [[nodiscard]] static double now() {
    std::timespec time = {};
    static_cast<void>(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time));
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double begin_ = now();
};

/// Returns the median processor time of run(), without that of prepare() before each call, after one warm-up call.
template <class Prepare, class Run>
[[nodiscard]] double median_seconds(const CalibrationEffort& effort, Prepare prepare, Run run) {
  std::vector<double> seconds;
  double total = 0;
  for (bool is_warm = false; static_cast<int>(seconds.size()) < effort.least_repetitions || total < effort.least_seconds;
       is_warm = true) {
    prepare();
    const ThreadStopwatch watch;
    run();
    const double once = watch.seconds();
    total += once;
    if (is_warm) {
      seconds.push_back(once);
    }
  }
  return median(seconds);
}

}  // namespace frond
