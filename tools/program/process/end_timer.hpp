// SPDX-License-Identifier: BSD-3-Clause
// Ends the program if MPI_Finalize never returns.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tools/program/process/exit_code.hpp"

namespace frond {

/// Ends the program with the exit code after a number of seconds, unless the thread that made it destroys it earlier.
///
/// For MPI_Finalize when all processes have met and nothing else is left to do: over TCP, UCX asks there for a last acknowledgement
/// from each process's partners, and MPICH does not let processes answer that have theirs and wait for the others.
class EndTimer {
 public:
  EndTimer(ExitCode code, double seconds);
  ~EndTimer();
  EndTimer(const EndTimer&) = delete;
  EndTimer& operator=(const EndTimer&) = delete;

 private:
  void run(ExitCode code, double seconds, pthread_t maker);

  std::mutex mutex_;
  std::condition_variable has_ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace frond
