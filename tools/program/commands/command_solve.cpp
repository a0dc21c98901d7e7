// SPDX-License-Identifier: BSD-3-Clause
// Implements frond solve: from a file to a verified answer.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "tools/program/commands/commands.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/mpi_processes.hpp"
#include "tools/program/solve/solve_arguments.hpp"
#include "tools/program/solve/solve_at.hpp"
#include "tools/program/solve/surviving_solve.hpp"

namespace frond {
namespace {

ExitCode run_solve(const SolveArguments& arguments, const Launch& launch, Farewell& farewell,
                   const std::function<ExitCode(const SolveArguments&)>& run_survivor) {
  const bool survives = !arguments.ranks.survive.empty();
  if (launch.is_by_mpich && !survives) {
    return run_distributed_solve(arguments, launch, farewell);
  }
  warn_of_blas(launch.rank);
  if (survives) {
    return run_survivor ? run_survivor(arguments) : run_surviving_solve(arguments, launch);
  }
  if (arguments.ranks.num_processes > 1) {
    become_mpi_processes(arguments);
  }
  return solve_at(Place(), arguments);
}

}  // namespace

void add_solve_command(CLI::App& program, const Launch& launch, ExitCode& result, Farewell& farewell,
                       const std::function<ExitCode(const SolveArguments&)>& run_survivor) {
  CLI::App* command = program.add_subcommand("solve", "Solve A x = b and verify the answer");
  command->footer(
      "Without --rhs, b = A x for a random x with entries in [1,2), and the error of x is reported, too.\n\n"
      "Exit codes: 0 solved and verified (--only: not singular), 2 bad usage or input, 3 singular, accuracy missed, rank in\n"
      "doubt without an x, or no Schur complement to be written, 4 out of memory or over the limit, 5 internal error,\n"
      "6 a process was lost, 7 the time limit was reached, 8 stopped with a checkpoint (see --resume), 9 this process was given\n"
      "up by the others (see --survive), 10 an output cannot be written\n\n"
      "Examples:\n"
      "  frond solve A.mtx\n"
      "  frond solve A.mtx --null-space Z.mtx --inverse-diagonal d.mtx\n"
      "  frond solve A.mtx --rhs b.mtx --out x.mtx --threads 4 --memory-limit 16GB --json run.json\n"
      "  frond solve A.mtx --save-factors A.factors\n"
      "  frond solve A.mtx --load-factors A.factors --rhs b.mtx --out x.mtx\n"
      "  frond solve A.mtx --checkpoint run1 --time-limit 43000\n"
      "  frond solve A.mtx --resume run1 --threads 8\n"
      "  frond solve A.mtx --analysis-of A0.mtx\n"
      "  frond solve A.mtx --schur 1-40,77 --schur-out S.mtx\n"
      "  frond solve A.mtx --only inertia,determinant\n"
      "  frond solve A.mtx --rhs b.mtx --out x.mtx --once\n"
      "  frond solve A.mtx --processes 8 --survive\n"
      "  mpiexec.mpich -n 4 frond solve A.mtx --threads 2\n"
      "  mpiexec.mpich -n 4 frond solve A.mtx --rhs B.mtx --out X.mtx --replicate-factors");
  const auto arguments = std::make_shared<SolveArguments>();
  add_solve_options(*command, *arguments);
  command->callback([arguments, command, &launch, &result, &farewell, run_survivor] {
    check_exclusions(*command, *arguments);
    arguments->stop_sources =
        std::make_shared<StopSources>(arguments->time_limit_seconds, arguments->checkpoint_directory(), launch.num_ranks);
    result = run_solve(*arguments, launch, farewell, run_survivor);
  });
}

}  // namespace frond
