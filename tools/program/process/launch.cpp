// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment variables of launchers.
#include "tools/program/process/launch.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <optional>

#include "frond/error.hpp"

namespace frond {
namespace {

std::optional<Rank> number(const EnvironmentLookup& lookup, const char* name) {
  const char* text = lookup(name);
  Rank value = 0;
  if (text == nullptr) {
    return std::nullopt;
  }
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc() && stop == end && text != end ? std::optional(value) : std::nullopt;
}

Launch foreign(Rank rank, const std::string& launcher) {
  return {.is_by_mpich = false,
          .rank = rank,
          .num_ranks = 1,
          .complaint = fmt::format("{} has started several processes, but Frond is built with MPICH, and each of them would solve "
                                   "the whole system alone: call mpiexec.mpich -n P frond ... instead",
                                   launcher)};
}

}  // namespace

Launch detect_launch(const EnvironmentLookup& lookup) {
  if (const auto size = number(lookup, "OMPI_COMM_WORLD_SIZE"); size && *size > 1) {
    return foreign(number(lookup, "OMPI_COMM_WORLD_RANK").value_or(0), "OpenMPI's launcher");
  }
  const std::optional<Rank> rank = number(lookup, "PMI_RANK");
  if (const auto size = number(lookup, "PMI_SIZE"); size && rank) {
    return {.is_by_mpich = true, .rank = *rank, .num_ranks = *size, .num_local = number(lookup, "MPI_LOCALNRANKS").value_or(0)};
  }
  if (const auto size = number(lookup, "SLURM_STEP_NUM_TASKS"); size && *size > 1) {
    return foreign(number(lookup, "SLURM_PROCID").value_or(0), "Slurm's srun without PMI (there is srun --mpi=pmi2, too)");
  }
  if (const auto pmix_rank = number(lookup, "PMIX_RANK"); pmix_rank && lookup("OMPI_COMM_WORLD_SIZE") == nullptr) {
    return foreign(*pmix_rank, "a launcher of PMIx programs");
  }
  return {};
}

void require_one_process(const Launch& launch, const std::string& command) {
  if (launch.num_ranks > 1) {
    throw UsageError(fmt::format(
        "frond {} works in one process, but {} were started: call it without mpiexec; only frond solve, frond batch and frond "
        "calibrate are for several",
        command, launch.num_ranks));
  }
}

}  // namespace frond
