// SPDX-License-Identifier: BSD-3-Clause
// Factorizes over virtual ranks on one thread, with real numerics, in an order of events drawn from a seed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/front_store.hpp"
#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "factorization/factorize.hpp"
#include "factorization/ranks/failure.hpp"
#include "factorization/ranks/rank_engine_counts.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"

namespace frond {
class RankEngine;
}  // namespace frond

namespace frond::test {

/// A bug that is planted to see whether the driver finds it.
enum class PlantedBug {
  none,
  lost_end,             ///< one rank does not receive the end of a decision
  doubled_reservation,  ///< a reservation counts twice
  lost_delays,          ///< a child does not announce its delayed variables
  lost_room             ///< a rank that waits for room is not notified
};

/// The next step of a rank, at which something goes wrong on it.
enum class Phase {
  job,              ///< any numerical work
  announcing,       ///< what a finished front delays
  choosing_slaves,  ///< as a master that waits for a good view, or as a slave that looks for memory
  expecting,        ///< taking memory for a part of a front, and for the rows sent to it
  receiving_rows,
  assembling,        ///< a part whose rows have arrived
  eliminating,       ///< the next step of a master or a slave
  factorizing_root,  ///< entering the root on the grid
  sending_rows,
  ending  ///< on rank 0: learning that another rank has nothing left to do
};
inline constexpr std::array kPhases = {
    Phase::job,        Phase::announcing,  Phase::choosing_slaves,  Phase::expecting,    Phase::receiving_rows,
    Phase::assembling, Phase::eliminating, Phase::factorizing_root, Phase::sending_rows, Phase::ending};
[[nodiscard]] std::string to_string(Phase phase);

/// Ranks that are asked to leave.
struct VirtualDrain {
  Count after_messages = 0;  ///< received by all ranks together
  std::vector<Rank> leaving;
  std::string folder = {};  ///< as in RankEngine::drain()
  std::function<bool()> is_due = [] { return true; };
};

/// Stops a rank as a user would: once, or repeatedly until all have ended.
struct VirtualStop {
  Rank rank = 0;
  Count after_messages = 0;
  bool again = false;
};

/// The fate of a rank at its next step.
enum class Fate {
  works,
  dies,   ///< at once; part of what it has sent is lost
  leaves  ///< it has learned that a rank is gone, or that others went on without it, and discards everything
};

struct VirtualRun {
  std::uint32_t seed = 0;
  Count buffer_bytes = Count{1} << 20;  ///< that a rank may have under way
  Count piece_bytes = Count{1} << 12;
  Count relayed_bytes = 0;  ///< as in RankEngineOptions: slaves relay messages for several of them
  LoadMechanism mechanism = LoadMechanism::increments;
  SelectionOptions selection{.min_rows = 1, .min_flops = 0};
  Index max_active = 4;               ///< tasks of a rank at a time
  ChunkKind chunks = ChunkKind::fac;  ///< of WorkSharing::pool
  WorkSharing sharing = WorkSharing::fixed;
  double least_task_seconds = TaskCut().least_seconds;
  Count memory_limit = Count{1} << 40;  ///< per rank
  Count ahead_limit_bytes = -1;         ///< as in EngineOptions, of every rank
  WorkBudget budget = {};               ///< per rank
  /// The reported seconds of a rank's tasks; empty: paces are not followed.
  std::function<double(Rank)> task_seconds = {};
  PivotingOptions pivoting = {};
  PlantedBug bug = PlantedBug::none;
  std::vector<VirtualDrain> drains = {};  ///< one after the other
  std::optional<VirtualStop> stop = {};
  /// True if the disk is full when a part that moves through files is to be written.
  std::function<bool()> is_disk_full = [] { return false; };
  /// Called before each step of a phase; what it throws is thrown there.
  std::function<void(Rank, Phase)> before = [](Rank, Phase) {};
  /// Asked before each step of a rank that works, with the number of messages received so far.
  std::function<Fate(Rank, Count)> fate = [](Rank, Count) { return Fate::works; };
  /// Called after each step of a rank.
  std::function<void(const RankEngine&)> watch = {};
  /// True if the message that a rank is about to receive arrives garbled.
  std::function<bool(Rank)> is_garbled = [](Rank) { return false; };
};

/// Those of all engines added up, and what the run itself counts.
struct VirtualRunCounts : RankEngineCounts {
  Count messages = 0;
  Count refused_sends = 0;
  Count put_off = 0;
  Count peak_bytes = 0;              ///< of the rank that held most, factors included
  LoadMessageCounts load_messages;   ///< sent by all ranks
  Count simultaneous_decisions = 0;  ///< steps after which two ranks or more wanted to decide
  Count refused_drains = 0;
  Count stuck_pauses = 0;            ///< of these: something under way lacked memory
  std::vector<Count> taken_by = {};  ///< [rank] = tasks
  std::vector<Count> given_by = {};  ///< [rank]
};

template <Scalar S>
struct VirtualRunResult {
  std::vector<RankFactors<S>> factors;  ///< [rank]
  Mapping mapping;                      ///< by which they are distributed
  FactorizationReport report;           ///< parts of all ranks added up
  std::optional<Failure> failure;
  bool is_thrown_away = false;          ///< a rank has died or left; only the counts of messages and of moved tasks are set
  std::vector<std::string> complaints;  ///< what must never happen: ranks that hang, disagree, or keep something
  VirtualRunCounts counts;
};

template <Scalar S>
using RankWatchers = std::vector<RankFrontWatcher<S>*>;  // [rank]

template <Scalar S>
using RankStores = std::vector<FrontStore<S>*>;  // [rank]

/// Factorizes over the ranks of the mapping, which continue from what the stores hold, if there are any, and finish them. With
/// watchers, only what a backward sweep reads is kept (LU). A quarter of the ranks is slow. Complains if no event is possible
/// though ranks have not ended, if ranks end with different failures, or if messages, memory or loads are left over.
template <Scalar S>
[[nodiscard]] VirtualRunResult<S> factorize_on_virtual_ranks(const std::shared_ptr<const Symbolic>& symbolic, Method method,
                                                             const SparseMatrix<S>& a, const Mapping& mapping,
                                                             const VirtualRun& run, const RankWatchers<S>& watchers = {},
                                                             const RankStores<S>& stores = {});

}  // namespace frond::test
