// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of several ranks: rank 0 owns the directory, and each rank has a log in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "analysis/mapping/mapping.hpp"
#include "factorization/rank_factorize.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/checkpoint/checkpointed.hpp"
#include "solver/storage/checkpoint/front_archive.hpp"

namespace frond {

/// The directory of a checkpoint as seen by a rank.
struct RankCheckpoint {
  std::shared_ptr<CheckpointDirectory> directory;  ///< on rank 0
  CheckpointOptions options;                       ///< with the name of the directory, everywhere
  std::shared_ptr<Observer> observer;              ///< may be null
};

/// Collective: as resume_analysis(), restores the system of a checkpoint on these ranks.
template <Scalar S>
[[nodiscard]] std::shared_ptr<const DistributedSystem<S>> resume_system(const Communicator& ranks, SystemMatrix<S>& matrix,
                                                                        const SolverOptions& options);

/// One factorization with a checkpoint. All calls are collective.
template <Scalar F>
class RankAttempt {
 public:
  /// `mapping` must outlive it. `predicted` is the predicted size in bytes of this rank's part of a checkpoint in memory. Throws
  /// what FrontArchive throws, and as BudgetError what set_outcome() recorded in an earlier run.
  RankAttempt(const Communicator& ranks, const RankCheckpoint& checkpoint, std::uint64_t key, const AssemblyTree& tree,
              Method method, const Mapping& mapping, Index min_slave_rows, const LogRoom& predicted);

  /// Reduces the memory limit by the part that a checkpoint in memory takes.
  [[nodiscard]] RankFactorizationOptions options_beside(RankFactorizationOptions options) const;

  /// Returns the result of work(store), unless Cholesky failed in an earlier run; records how it ended. Adds to `report`.
  [[nodiscard]] RankFactorizationResult<F> run(CheckpointReport& report,
                                               const std::function<RankFactorizationResult<F>(FrontStore<F>*)>& work);

 private:
  void end(CheckpointReport& report);
  void note(const AttemptOutcome& outcome) const;
  void look_at_outcome(Index order);

  const Communicator& ranks_;
  const RankCheckpoint& checkpoint_;
  std::string folder_;
  std::optional<Index> indefinite_at_;
  Count most_bytes_ = 0;  // that this rank may still add to a checkpoint in memory; 0: not in memory, or writing has stopped
  std::unique_ptr<FrontArchive<F>> archive_;
};

}  // namespace frond
