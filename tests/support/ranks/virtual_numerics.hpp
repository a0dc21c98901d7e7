// SPDX-License-Identifier: BSD-3-Clause
// Connects the fronts of virtual ranks in one process: what the ranks share, and what each of them computes with.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "factorization/front_numerics.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "tests/support/ranks/gathered_root.hpp"

namespace frond::test {

template <Scalar S>
struct VirtualProblem {
  VirtualProblem(const Symbolic& problem_symbolic, Method problem_method, const SparseMatrix<S>& a, const Mapping& problem_mapping,
                 const PivotingOptions& pivoting, KeptFactors factors_kept = KeptFactors::all, const FinishedNodes& finished = {},
                 const TaskCut& how = {})
      : symbolic(problem_symbolic),
        method(problem_method),
        mapping(problem_mapping),
        kept(factors_kept),
        cut(how),
        graph(symbolic.tree(), method, sizeof(S), mapping, kept, finished, cut),
        matrix{a.values, {}, {}},
        tolerances(pivot_tolerances<S>(symbolic, matrix, pivoting)) {
    roots = make_roots(mapping.root_grid());
  }

  [[nodiscard]] std::map<Rank, std::shared_ptr<RootSolver<S>>> make_roots(const RootGrid& grid) const {
    std::map<Rank, std::shared_ptr<RootSolver<S>>> made;
    if (grid.node != kNoNode) {
      std::vector<std::unique_ptr<RootSolver<S>>> solvers = make_gathered_roots<S>(grid.shape, method, tolerances.null);
      for (std::size_t k = 0; k < solvers.size(); ++k) {
        made[grid.ranks[k]] = std::move(solvers[k]);
      }
    }
    return made;
  }

  /// Returns the solver of a root whose grid came with a recovery plan, the same for all ranks that ask.
  [[nodiscard]] std::shared_ptr<RootSolver<S>> later_root(Index record, const RootGrid& grid, Rank rank) const {
    if (!later_roots.contains(record)) {
      later_roots[record] = make_roots(grid);
    }
    const auto& made = later_roots.at(record);
    return made.contains(rank) ? made.at(rank) : nullptr;
  }

  const Symbolic& symbolic;
  Method method;
  const Mapping& mapping;
  KeptFactors kept;
  TaskCut cut;
  TaskGraph graph;
  ScaledValues<S> matrix;
  PivotTolerances<RealOf<S>> tolerances;
  std::map<Rank, std::shared_ptr<RootSolver<S>>> roots;                                 // of the ranks of the root's grid
  mutable std::map<Index, std::map<Rank, std::shared_ptr<RootSolver<S>>>> later_roots;  // [record]
};

/// The numerics of one rank, with metered memory; jobs go to `pool`.
template <Scalar S>
struct VirtualNumerics {
  VirtualNumerics(const VirtualProblem<S>& problem, const TaskGraph& graph, Rank rank, Count memory_limit, TaskPool& pool,
                  RankFrontWatcher<S>* watcher = nullptr, const WorkBudget& budget = {}, FrontStore<S>* store = nullptr)
      : work(budget, problem.symbolic.tree(), problem.method),
        meter(memory_limit, "the limit is", &work),
        storage(std::make_shared<FactorStorage>(
            problem.symbolic.tree(), problem.method, sizeof(S), std::make_shared<RegionPool>(0),
            [&problem, rank](NodeId node) {
              return kept_shape(problem.symbolic.tree(), node, shape_on(problem.mapping, node, rank), problem.method, problem.kept);
            })),
        arena(0, meter, regions),
        fronts({{problem.symbolic, graph, problem.method, problem.matrix, problem.tolerances, *storage, arena, meter, work,
                 problem.kept, store, rank},
                regions,
                false,
                pool,
                {},
                watcher,
                watcher}) {
    fronts.restore_stored_fronts();
    if (problem.roots.contains(rank)) {
      fronts.set_root(problem.roots.at(rank));
    }
  }

  [[nodiscard]] RankFactors<S> take_factors() const { return fronts.take_factors(storage); }

  WorkMeter work;
  MemoryMeter meter;
  RegionPool regions{0};
  std::shared_ptr<FactorStorage> storage;
  ContributionArena arena;
  FrontNumerics<S> fronts;
};

}  // namespace frond::test
