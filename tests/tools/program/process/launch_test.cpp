// SPDX-License-Identifier: BSD-3-Clause
// Detects how a process was launched, in every kind of environment.
#include "tools/program/process/launch.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "frond/error.hpp"

namespace frond {
namespace {

Launch detect(const std::map<std::string, std::string>& environment) {
  return detect_launch([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launch, IsAloneWithoutALauncher) {
  for (const Launch& launch :
       {detect({}), detect({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}}),  // in a batch script
        detect({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}), detect({{"OMPI_COMM_WORLD_SIZE", "1"}}),
        detect({{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}})}) {
    EXPECT_FALSE(launch.is_by_mpich);
    EXPECT_EQ(launch.num_ranks, 1);
    EXPECT_EQ(launch.complaint, "");
  }
}

TEST(Launch, KnowsMpichAndWhatSpeaksItsLanguage) {
  const Launch launch = detect({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"PMI_FD", "9"}, {"MPI_LOCALNRANKS", "4"}});
  EXPECT_TRUE(launch.is_by_mpich);
  EXPECT_EQ(launch.rank, 2);
  EXPECT_EQ(launch.num_ranks, 4);
  EXPECT_EQ(launch.complaint, "");
  EXPECT_TRUE(detect({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}).is_by_mpich);
  EXPECT_TRUE(detect({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}).is_by_mpich);
}

TEST(Launch, ComplainsOfForeignLaunchersWithTheRemedy) {
  for (const Launch& launch :
       {detect({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}}), detect({{"PMIX_RANK", "1"}}),
        detect({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}}),
        detect({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "1"}})}) {
    EXPECT_FALSE(launch.is_by_mpich);
    EXPECT_EQ(launch.rank, 1);
    EXPECT_NE(launch.complaint.find("mpiexec.mpich -n P frond"), std::string::npos) << launch.complaint;
  }
}

TEST(Launch, TakesOnlyNumbersForNumbers) {
  EXPECT_FALSE(detect({{"PMI_RANK", "first"}, {"PMI_SIZE", "2"}}).is_by_mpich);
  EXPECT_FALSE(detect({{"PMI_RANK", "0"}, {"PMI_SIZE", "2x"}}).is_by_mpich);
  EXPECT_EQ(detect({{"OMPI_COMM_WORLD_SIZE", ""}}).complaint, "");
}

TEST(Launch, RefusesSeveralProcessesForCommandsOfOne) {
  EXPECT_NO_THROW(require_one_process({}, "analyze"));
  EXPECT_NO_THROW(require_one_process({.is_by_mpich = true}, "analyze"));
  EXPECT_THROW(require_one_process({.is_by_mpich = true, .rank = 1, .num_ranks = 2}, "analyze"), UsageError);
}

}  // namespace
}  // namespace frond
