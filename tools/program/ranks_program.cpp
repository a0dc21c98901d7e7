// SPDX-License-Identifier: BSD-3-Clause
// Replaces frond under MPICH's launcher by frond-ranks, which does the same with MPI. Alone, frond need not load MPI's libraries,
// which takes longer than solving a small system.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tools/program/batch/batch_processes.hpp"
#include "tools/program/calibration/network_rates.hpp"
#include "tools/program/process/other_programs.hpp"
#include "tools/program/solve/mpi_processes.hpp"

namespace frond {
namespace {

[[noreturn]] void become_ranks_program() {
  const std::string program = program_beside("frond-ranks", "build frond again");
  std::vector<std::string> words = own_command_line();
  execv(program.c_str(), pointers_to(words).data());
  throw UsageError(fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
}

}  // namespace

ExitCode run_distributed_solve(const SolveArguments& /*arguments*/, const Launch& /*launch*/, Farewell& /*farewell*/) {
  become_ranks_program();
}

ExitCode run_batch_on_mpi(const BatchArguments& /*arguments*/, const Launch& /*launch*/, Farewell& /*farewell*/) {
  become_ranks_program();
}

std::optional<NetworkRates> measure_network(const Launch& /*launch*/, const CalibrationEffort& /*effort*/, Farewell& /*farewell*/) {
  become_ranks_program();
}

}  // namespace frond
