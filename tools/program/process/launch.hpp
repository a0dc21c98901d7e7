// SPDX-License-Identifier: BSD-3-Clause
// How this process was started: by itself, or with others by a launcher of MPI programs.
#pragma once

#include <functional>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// The value of an environment variable, null if there is none.
using EnvironmentLookup = std::function<const char*(const char* name)>;

struct Launch {
  bool is_by_mpich = false;    ///< by MPICH's launcher: MPI is to be started
  Rank rank = 0;               ///< of this process, as the launcher says
  Rank num_ranks = 1;          ///< processes started together
  Rank num_local = 0;          ///< of these on this machine; 0: the launcher does not say
  std::string complaint = {};  ///< not empty: a launcher that Frond's MPI does not know has started several processes; what to do
};

/// Looks for what launchers leave in the environment: MPICH's (PMI_RANK, PMI_SIZE, as also Slurm's PMI and others derived from it),
/// OpenMPI's (OMPI_COMM_WORLD_SIZE), PMIx's (PMIX_RANK) and Slurm's without PMI (SLURM_STEP_NUM_TASKS). Without any the process is
/// alone, and MPI is left alone.
[[nodiscard]] Launch detect_launch(const EnvironmentLookup& lookup);

/// Throws UsageError, with the remedy, when a command that is for one process was started in several.
void require_one_process(const Launch& launch, const std::string& command);

}  // namespace frond
