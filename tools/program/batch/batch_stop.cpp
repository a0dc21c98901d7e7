// SPDX-License-Identifier: BSD-3-Clause
// Reports that a batch was stopped.
#include "tools/program/batch/batch_stop.hpp"

#include <fmt/format.h>

#include "frond/error.hpp"
#include "matrices/counted.hpp"
#include "tools/program/solve/stop_sources.hpp"

namespace frond {

bool BatchStop::batch_end_requested() {
  const char* signal = signals_.stop_signal();
  if (signal != nullptr && !has_told_.exchange(true)) {
    tell_on_stderr(fmt::format("frond: {} came: systems under way come to their end{}\n", signal,
                               std::string(signal) == "SIGINT" ? "; Ctrl-C again ends at once" : ""));
  }
  return signal != nullptr;
}

void BatchStop::throw_stopped(std::size_t num_done, std::size_t num_systems, const std::string& results) const {
  const char* signal = signals_.stop_signal();
  const std::string what = fmt::format("{}: {} of {} done", signal != nullptr ? std::string(signal) + " came" : "stopped", num_done,
                                       counted(static_cast<Count>(num_systems), "system"));
  if (results.empty()) {
    throw StoppedError(what + ", and nothing is kept of them: --results FILE would let another run go on");
  }
  throw SuspendedError(fmt::format("{}, and their results in {}; go on with the same command", what, results));
}

}  // namespace frond
