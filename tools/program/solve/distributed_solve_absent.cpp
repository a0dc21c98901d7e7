// SPDX-License-Identifier: BSD-3-Clause
// Replaces distributed_solve.cpp if Frond is built without MPI.
#include "frond/error.hpp"
#include "tools/program/solve/distributed_solve.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {

ExitCode run_distributed_solve(const SolveArguments& /*arguments*/, const Launch& /*launch*/, Farewell& /*farewell*/) {
  throw UsageError(
      "mpiexec has started this process, but Frond was built without MPI: call frond by itself, or build it with "
      "-DFROND_MPI=ON");
}

void check_survival(const RanksArguments& /*arguments*/, const Launch& /*launch*/) {
  throw UsageError("--survive is for several processes, but Frond was built without MPI: -DFROND_MPI=ON");
}

ExitCode run_surviving_solve(const SolveArguments& /*arguments*/, const Launch& /*launch*/) {
  throw UsageError("--survive and --processes are for several processes, but Frond was built without MPI: -DFROND_MPI=ON");
}

ExitCode become_mpi_processes(const SolveArguments& /*arguments*/) {
  throw UsageError("--processes: Frond was built without MPI: -DFROND_MPI=ON");
}

}  // namespace frond
