// SPDX-License-Identifier: BSD-3-Clause
// Starts MPI for a program that asks for it, and determines how it was started by a program that did so itself.
#pragma once

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/mpi_gate.hpp"

namespace frond {

/// Keeps MPI running for the life of this object. A program makes one, on the thread that outlives all other users of MPI;
/// libraries never do.
class MpiEnvironment {
 public:
  /// Throws UsageError if MPI was started before, and CommunicationError if it grants less than `wanted`.
  explicit MpiEnvironment(MpiThreadLevel wanted);
  ~MpiEnvironment();
  MpiEnvironment(const MpiEnvironment&) = delete;
  MpiEnvironment& operator=(const MpiEnvironment&) = delete;
};

/// Returns the thread level that MPI grants this process; throws UsageError if MPI is not running.
[[nodiscard]] MpiThreadLevel mpi_thread_level();

}  // namespace frond
