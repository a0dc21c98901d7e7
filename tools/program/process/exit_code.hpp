// SPDX-License-Identifier: BSD-3-Clause
// What the frond program tells its caller by its exit code.
#pragma once

#include <functional>

namespace frond {

enum class ExitCode {
  success = 0,    ///< solved and verified; help and other commands done
  bad_input = 2,  ///< wrong usage, unreadable input
  not_solved =
      3,  ///< singular, not positive definite, accuracy target missed; no Schur complement to be written; a label contradicted
  out_of_memory = 4,   ///< or over the limit that was given
  internal_error = 5,  ///< a defect of Frond
  process_lost = 6,    ///< of several processes one is gone, or MPI has failed
  stopped = 7,         ///< the time limit was reached
  suspended = 8,       ///< stopped, by whatever, with a checkpoint from which another run goes on
  fenced = 9,          ///< this process was given up by the others, who have gone on without it
  output_failed = 10   ///< an output cannot be written: a folder is read-only, a disk full
};

/// What is left to do with the exit code when everything has been told; may be empty.
using Farewell = std::function<void(ExitCode)>;

}  // namespace frond
