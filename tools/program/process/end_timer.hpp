// SPDX-License-Identifier: BSD-3-Clause
// A way out of the end of MPI, which may never come.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tools/program/process/exit_code.hpp"

namespace frond {

/// Ends the program with the exit code after some seconds, unless destroyed before by the thread that has made it.
///
/// For MPI_Finalize when all processes have met and nothing else is left to do: over TCP, UCX asks there for a last acknowledgement
/// of each process's partners, and MPICH does not let those answer that have got theirs and wait for the others.
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
