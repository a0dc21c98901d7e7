// SPDX-License-Identifier: BSD-3-Clause
// The exit codes of the frond program.
#pragma once

#include <functional>

namespace frond {

enum class ExitCode {
  success = 0,     ///< solved and verified; help and other commands done
  bad_input = 2,   ///< wrong usage, unreadable input
  not_solved = 3,  ///< singular, not positive definite, accuracy target missed; no Schur complement to write; a label contradicted
  out_of_memory = 4,   ///< or over the given limit
  internal_error = 5,  ///< a defect of Frond
  process_lost = 6,    ///< one of several processes is lost, or MPI has failed
  stopped = 7,         ///< the time limit was reached
  suspended = 8,       ///< stopped for any reason, with a checkpoint from which another run can continue
  fenced = 9,          ///< the other processes gave this one up and have continued without it
  output_failed = 10   ///< an output cannot be written: read-only folder, full disk
};

/// Finishes the process with the exit code after everything has been reported; may be empty.
using Farewell = std::function<void(ExitCode)>;

}  // namespace frond
