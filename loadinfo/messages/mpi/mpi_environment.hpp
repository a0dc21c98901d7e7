// SPDX-License-Identifier: BSD-3-Clause
// Starts MPI for a program that asks for it, and finds out how it was started for a program that did so by itself.
#pragma once

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/mpi_gate.hpp"

namespace frond {

/// MPI, from here to the end of this object's life. Programs make one, on the thread that outlives all other users of MPI;
/// libraries never do.
class MpiEnvironment {
 public:
  /// Throws UsageError if MPI was started before, and CommunicationError if it grants less than `wanted`.
  explicit MpiEnvironment(MpiThreadLevel wanted);
  ~MpiEnvironment();
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
};

/// What MPI grants the threads of this process; throws UsageError if MPI is not running.
[[nodiscard]] MpiThreadLevel mpi_thread_level();

}  // namespace frond
