// SPDX-License-Identifier: BSD-3-Clause
// Detects how this process was started: alone, or with others by a launcher of MPI programs.
#pragma once

#include <functional>
#include <string>

#include "frond/types.hpp"

namespace frond {

/// Returns the value of an environment variable, or null.
using EnvironmentLookup = std::function<const char*(const char* name)>;

struct Launch {
  bool is_by_mpich = false;    ///< MPICH's launcher: MPI must be started
  Rank rank = 0;               ///< of this process, as the launcher reports it
  Rank num_ranks = 1;          ///< processes started together
  Rank num_local = 0;          ///< of these on this machine; 0: unknown
  std::string complaint = {};  ///< not empty: a launcher unknown to Frond's MPI has started several processes; what to do
};

/// Looks for the variables that launchers set: MPICH's (PMI_RANK, PMI_SIZE, also set by Slurm's PMI and other derivatives),
/// OpenMPI's (OMPI_COMM_WORLD_SIZE), PMIx's (PMIX_RANK) and Slurm's without PMI (SLURM_STEP_NUM_TASKS). Without any of them the
/// process is alone, and MPI is not started.
[[nodiscard]] Launch detect_launch(const EnvironmentLookup& lookup);

/// Throws UsageError, with the remedy, if several processes were started for a command that runs in one.
void require_one_process(const Launch& launch, const std::string& command);

}  // namespace frond
