// SPDX-License-Identifier: BSD-3-Clause
// The numerical factorization of one of several ranks: from values to its part of the factors.
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

/// External participants in a factorization on this rank; all may be null, on all ranks alike.
template <Scalar S>
struct RankFrontPorts {
  RankFrontWatcher<S>* watcher = nullptr;
  FrontStore<S>* store = nullptr;
};

/// The matrix to factorize and its mapping; the same on every rank. All referenced objects outlive the factorization.
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
  int num_threads = 1;                      ///< of this rank
  Count memory_limit = 0;                   ///< bytes of this rank for factors and active memory together; 0: no limit
  std::string memory_limit_reason = {};     ///< as in FactorizationOptions
  Count largest_memory_limit = 0;           ///< of all ranks, where it is larger: slaves with less refuse for themselves
  WorkBudget budget = {};                   ///< of this rank; all stop when one exceeds it
  KeptFactors kept = KeptFactors::all;      ///< the same on every rank
  bool flushes_subnormals = false;          ///< as in FactorizationOptions
  std::shared_ptr<RegionPool> memory = {};  ///< as in FactorizationOptions
  std::shared_ptr<WorkLog> log = {};        ///< as in FactorizationOptions; of this rank
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;
  Schedule schedule = Schedule::flops;
  ChunkKind chunks = ChunkKind::fac;         ///< of WorkSharing::pool, the same on every rank
  WorkSharing sharing = WorkSharing::fixed;  ///< the same on every rank; fixed unless all factors are kept and there is no watcher
  LoadServiceOptions load_service = {};
  RankDriverOptions driver = {};  ///< with the observer, whose progress is that of this rank's own flops
  bool ranks_may_leave = false;   ///< the same on every rank; only if all factors are kept and there is no watcher
};

/// A rank's ends of three networks on which nothing else is sent.
struct RankChannels {
  CountedChannel& main;
  Channel& control;
  Channel& load;
  bool threads_may_call;  ///< whether threads other than the loop's may use `load`
};

template <Scalar S>
struct RankFactorizationResult {
  std::optional<RankFactors<S>> factors;  ///< empty when the status is not_positive_definite
  FactorizationReport report;             ///< of this rank's part; the status is that of the whole
  RankRunCounts counts;
  std::optional<Mapping> mapping;  ///< by which the factors are distributed, if ranks have left
  /// What this rank has done of leaf subtrees that belong to others by this mapping, or by that of the problem: begins and ends.
  /// Factors are distributed by with_moved() of these lists of all ranks.
  std::vector<NodeId> taken;
};

/// One factorization. Everything that a rank may lack is taken by the constructor, which can throw on one rank alone, so ranks
/// should agree that it succeeded on all before they run.
template <Scalar S>
class RankFactorization {
 public:
  /// `ports.watcher` is called for the rank's fronts as they are eliminated; fronts in `ports.store` are read, and executed ones
  /// are handed over to it. Both outlive this object.
  RankFactorization(RankProblem<S> system, RankFactorizationOptions options, const RankChannels& channels,
                    const RankFrontPorts<S>& ports = {});
  ~RankFactorization();
  RankFactorization(const RankFactorization&) = delete;
  RankFactorization& operator=(const RankFactorization&) = delete;

  /// Returns the size up to which a pivot counts as zero; the same on all ranks.
  [[nodiscard]] RealOf<S> null_pivot() const;

  /// Runs together with all other ranks, once. An error on one rank is thrown on all, with its number: MemoryError, BudgetError,
  /// InternalError. The ranks of mapping.root_grid() pass the solver of the root; if ranks leave, make_root(mapping) makes it for
  /// another grid, collectively over its ranks.
  using MakeRoot = std::function<std::shared_ptr<RootSolver<S>>(const Mapping& mapping)>;
  [[nodiscard]] RankFactorizationResult<S> run(std::shared_ptr<RootSolver<S>> root = {}, MakeRoot make_root = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace frond
