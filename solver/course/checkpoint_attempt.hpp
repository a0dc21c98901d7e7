// SPDX-License-Identifier: BSD-3-Clause
// Factorizes with a directory that stores the fronts, and provides those of earlier runs, in one process and in several.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/memory/work_budget.hpp"
#include "frond/error.hpp"
#include "frond/observer.hpp"
#include "frond/options.hpp"
#include "frond/report.hpp"
#include "solver/course/team.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/checkpoint/front_archive.hpp"

namespace frond {

/// The directory of a checkpoint as one of a team knows it.
struct Checkpoint {
  std::shared_ptr<CheckpointDirectory> directory;  ///< on the leader
  CheckpointOptions options;                       ///< with the name of the directory, everywhere
  std::shared_ptr<Observer> observer;              ///< may be null
};

/// Throws UsageError for what a checkpoint excludes.
void check_checkpoint_options(bool keeps_schur_complement, KeptFactors kept);

/// Everything that a factorization in F depends on: equal ones have the same fronts.
template <Scalar F>
struct CheckpointedProblem {
  const Symbolic& symbolic;
  Method method;
  const PivotingOptions& pivoting;
  std::span<const F> values;
  std::span<const RealOf<F>> row_scaling;
  std::span<const RealOf<F>> col_scaling;
};

/// Where the fronts of a factorization are; by default in one process.
struct ArchivePlace {
  Rank rank = 0;
  const Mapping* mapping = nullptr;  ///< null: one rank
  Index min_slave_rows = 1;          ///< as in ArchiveOptions
  LogRoom predicted = {};            ///< the predicted size of this rank's part of a checkpoint in memory
};

/// One factorization with a checkpoint. All calls are collective. If it ended without factors in an earlier run, it ends in the
/// same way at once. After the start, disk errors do not end it.
template <Scalar F>
class CheckpointAttempt {
 public:
  /// The team and the mapping must outlive it. Throws InputError if the directory is damaged and OutputError if it is not writable,
  /// and as BudgetError what was recorded in an earlier run.
  CheckpointAttempt(const Team& team, const Checkpoint& checkpoint, const CheckpointedProblem<F>& problem,
                    const ArchivePlace& place = {});

  /// Reduces the memory limit by the part that a checkpoint in memory takes.
  void take_room(Count& memory_limit, std::string& reason) const;

  /// Returns the result of work(store), unless Cholesky failed in an earlier run; records how it ended. Adds to `report`.
  template <class Work>
  [[nodiscard]] auto run(CheckpointReport& report, const Work& work) {
    std::invoke_result_t<Work, FrontStore<F>*> result;
    if (indefinite_at_) {
      result.report.status = FactorizationStatus::not_positive_definite;
      result.report.null_pivots = {*indefinite_at_};
      return result;
    }
    try {
      result = work(archive_.get());
    } catch (const BudgetError& error) {
      end(report);
      note({.gave_up = error});
      throw;
    } catch (const CommunicationError&) {
      throw;  // the ranks do not communicate any more
    } catch (const Error&) {
      end(report);
      throw;
    }
    end(report);
    if (result.report.status == FactorizationStatus::not_positive_definite) {
      note({.indefinite_at = result.report.null_pivots.front()});
    }
    return result;
  }

 private:
  void open_archive(const CheckpointedProblem<F>& problem, std::uint64_t key, const ArchivePlace& place);
  void end(CheckpointReport& report);
  void note(const AttemptOutcome& outcome) const;
  void look_at_outcome(Index order);

  const Team& team_;
  Checkpoint checkpoint_;
  std::string folder_;
  std::optional<Index> indefinite_at_;
  Count most_bytes_ = 0;  // that this rank may still add to a checkpoint in memory; 0: not in memory, or writing has stopped
  std::unique_ptr<FrontArchive<F>> archive_;
};

}  // namespace frond
