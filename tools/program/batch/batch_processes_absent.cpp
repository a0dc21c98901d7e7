// SPDX-License-Identifier: BSD-3-Clause
// Replaces batch_processes.cpp if Frond is built without MPI.
#include "frond/error.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {

ExitCode run_batch_on_mpi(const BatchArguments& arguments, const Launch& launch, Farewell& /*farewell*/) {
  return start_batch_processes(arguments, launch);
}

ExitCode start_batch_processes(const BatchArguments& /*arguments*/, const Launch& /*launch*/) {
  throw UsageError("a batch in several processes: Frond was built without MPI: -DFROND_MPI=ON; --workers needs none");
}

}  // namespace frond
