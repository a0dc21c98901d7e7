// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond, and optionally other solvers, on every matrix of a labelled collection.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/program/bench/peer_programs.hpp"
#include "tools/program/labels/standing.hpp"

namespace frond {

struct LabelCampaignPlan {
  std::string directory;  ///< folder of the files
  std::string memory_limit = "20GB";
  double time_limit = 600;  ///< seconds per process and matrix
  LargestErrors largest;
  int num_threads = 0;               ///< 0: all cores
  Rank num_ranks = 1;                ///< of Frond; if more than 1, started by mpiexec.mpich
  std::vector<PeerProgram> peers;    ///< on one thread, in one process, with their own refinement
  std::function<bool()> wants_stop;  ///< polled: true if the running process should end
};

/// Reports every matrix on standard output as it is done. A matrix during which wants_stop() became true does not count.
class LabelCampaign {
 public:
  explicit LabelCampaign(LabelCampaignPlan plan);

  void check(const LabelledMatrix& matrix);

  [[nodiscard]] int num_disagreeing() const { return num_disagreeing_; }
  [[nodiscard]] std::string summary() const;                     ///< for people
  [[nodiscard]] const std::string& tsv() const { return tsv_; }  ///< a line for each matrix and solver

 private:
  [[nodiscard]] ChildResult solve(const std::string& path) const;
  void ask_peers(const LabelledMatrix& matrix, const LabelCheck& check);
  void note(const LabelledMatrix& matrix, const LabelCheck& check, Standing& standing, SolverOutcome outcome,
            const std::string& errors_and_words);

  LabelCampaignPlan plan_;
  std::vector<Standing> standings_;  // of Frond, then of the peers
  std::vector<std::string> missed_;  // solved by a peer but not by Frond
  std::string tsv_;
  int num_matrices_ = 0;
  int num_agreeing_ = 0;
  int num_disagreeing_ = 0;
};

}  // namespace frond
