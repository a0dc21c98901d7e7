// SPDX-License-Identifier: BSD-3-Clause
// The numerical factorization of one rank among several: from values to its part of the factors.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/front_store.hpp"
#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/memory/region_pool.hpp"
#include "factorization/memory/work_meter.hpp"
#include "factorization/ranks/rank_driver.hpp"
#include "factorization/ranks/rank_report.hpp"
#include "factorization/root/root_solver.hpp"
#include "frond/analysis_options.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// Who takes part in a factorization on this rank from outside; all may be null, on all ranks alike.
template <Scalar S>
struct RankFrontPorts {
  RankFrontWatcher<S>* watcher = nullptr;
  FrontStore<S>* store = nullptr;
};

/// What is factorized; the same on every rank. All that is referred to outlives the factorization.
template <Scalar S>
struct RankProblem {
  std::shared_ptr<const Symbolic> symbolic;
  const Mapping& mapping;
  Method method;
  std::span<const S> values;                 ///< in the order of the analysed pattern's entries
  std::span<const RealOf<S>> row_scaling{};  ///< by original numbers; empty: none
  std::span<const RealOf<S>> col_scaling{};
};

struct RankFactorizationOptions {
  PivotingOptions pivoting;
  int num_threads = 1;                                 ///< of this rank
  Count memory_limit = 0;                              ///< bytes of this rank for factors and active memory together; 0: none
  std::string memory_limit_reason = {};                ///< as in FactorizationOptions
  Count largest_memory_limit = 0;                      ///< of all ranks, where it is larger: slaves with less refuse for themselves
  WorkBudget budget = {};                              ///< of this rank; all stop when one passes it
  KeptFactors kept = KeptFactors::all;                 ///< the same on every rank
  bool flushes_subnormals = false;                     ///< as in FactorizationOptions
  std::shared_ptr<RegionPool> memory = {};             ///< as in FactorizationOptions
  std::shared_ptr<WorkLog> log = {};                   ///< as in FactorizationOptions; of this rank
  std::function<void(double fraction)> progress = {};  ///< of this rank's own flops
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;
  Schedule schedule = Schedule::flops;
  ChunkKind chunks = ChunkKind::fac;         ///< of WorkSharing::pool, the same on every rank
  WorkSharing sharing = WorkSharing::fixed;  ///< the same on every rank; fixed unless all factors are kept and nobody watches
  LoadServiceOptions load_service = {};
  RankDriverOptions driver = {};
  bool ranks_may_leave = false;  ///< the same on every rank; if all factors are kept and nobody watches
  /// Rank 0: asked some ten times a second which ranks are to leave; those that have left may be among them.
  std::function<LeaveRequest()> leave_requested = {};
  std::function<void(const std::string&)> tell_leave = {};  ///< rank 0: who has left, or why somebody cannot, in one sentence
};

/// A rank's ends of three networks on which nothing else is sent.
struct RankChannels {
  CountedChannel& main;
  Channel& control;
  Channel& load;
  bool threads_may_call;  ///< may another thread than the loop's use `load`?
};

template <Scalar S>
struct RankFactorizationResult {
  std::optional<RankFactors<S>> factors;  ///< empty when the status is not_positive_definite
  FactorizationReport report;             ///< of this rank's part; the status is that of the whole
  RankRunCounts counts;
  std::optional<Mapping> mapping;  ///< by which the factors lie, if ranks have left
  /// What this rank has done of leaf subtrees that are others' by this mapping, or by that of the problem: begins and ends. Factors
  /// lie by with_moved() of what all ranks have here.
  std::vector<NodeId> taken;
};

/// One factorization. Everything that a rank may lack is taken by the constructor, which can throw on one rank alone: ranks had
/// better agree that it succeeded on all before they run.
template <Scalar S>
class RankFactorization {
 public:
  /// `ports.watcher` is told of the rank's fronts as they are eliminated; what `ports.store` has is read, and what is executed is
  /// handed over to it. They outlive this object.
  RankFactorization(RankProblem<S> system, RankFactorizationOptions options, const RankChannels& channels,
                    const RankFrontPorts<S>& ports = {});
  ~RankFactorization();
  RankFactorization(const RankFactorization&) = delete;
  RankFactorization& operator=(const RankFactorization&) = delete;

  /// A pivot up to this size is none; the same on all ranks.
  [[nodiscard]] RealOf<S> null_pivot() const;

  /// Together with all other ranks, once. What goes wrong on one rank is thrown on all, with its number: MemoryError,
  /// BudgetError, InternalError. The ranks of mapping.root_grid() bring what factorizes the root; if ranks leave,
  /// make_root(mapping) makes it for another grid, collectively over its ranks.
  using MakeRoot = std::function<std::shared_ptr<RootSolver<S>>(const Mapping& mapping)>;
  [[nodiscard]] RankFactorizationResult<S> run(std::shared_ptr<RootSolver<S>> root = {}, MakeRoot make_root = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace frond
