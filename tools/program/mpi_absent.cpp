// SPDX-License-Identifier: BSD-3-Clause
// Says what is missing where several processes are asked for, if Frond is built without MPI.

#include "frond/error.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/calibration/network_rates.hpp"
#include "tools/program/solve/mpi_processes.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {

ExitCode run_batch_on_mpi(const BatchArguments& arguments, const Launch& launch, Farewell& /*farewell*/) {
  return start_batch_processes(arguments, launch);
}

ExitCode start_batch_processes(const BatchArguments& /*arguments*/, const Launch& /*launch*/) {
  throw UsageError("a batch in several processes: Frond was built without MPI: -DFROND_MPI=ON; --workers needs none");
}

std::optional<NetworkRates> measure_network(const Launch& /*launch*/, const CalibrationEffort& /*effort*/, Farewell& /*farewell*/) {
  throw UsageError(
      "mpiexec has started this process, but Frond was built without MPI: call frond calibrate by itself, or build it with "
      "-DFROND_MPI=ON");
}

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
