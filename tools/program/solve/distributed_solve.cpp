// SPDX-License-Identifier: BSD-3-Clause
// Implements the part of each process in a common solve.
#include "tools/program/solve/distributed_solve.hpp"

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>

#include "factorization/kernels/blas_threads.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/mpi_processes.hpp"
#include "tools/program/solve/solve_at.hpp"

namespace frond {

ExitCode run_distributed_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell) {
  if (const std::optional<std::string> warning = blas_warning(); warning && launch.rank == 0) {
    tell_on_stderr(fmt::format("frond: warning: {}\n", *warning));
  }
  return run_on_mpi(arguments, arguments.system.num_threads, launch, farewell, [&arguments](const Communicator& ranks) {
    return solve_at(rank_place({std::shared_ptr<void>(), &ranks}), arguments);
  });
}

}  // namespace frond
