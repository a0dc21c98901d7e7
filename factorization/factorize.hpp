// SPDX-License-Identifier: BSD-3-Clause
// The numerical factorization of one process: from values to factors.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/distributed/front_store.hpp"
#include "factorization/distributed/front_watcher.hpp"
#include "factorization/factors.hpp"
#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "factorization/memory/region_pool.hpp"
#include "factorization/memory/work_budget.hpp"
#include "frond/factorization_options.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// What runs the tasks when there is more than one thread.
enum class ExecutorKind {
  tbb,     ///< oneTBB, shared with the rest of the program
  threads  ///< threads of their own, for race detection where oneTBB is not instrumented
};

/// Options that the caller of factorize() chooses, not the user of a solver.
struct FactorizationRunOptions : FactorizationOptions {
  ExecutorKind executor = ExecutorKind::tbb;
  WorkBudget budget = {};           ///< by default there is none
  bool flushes_subnormals = false;  ///< as SubnormalsFlushed does, for scaled numbers but not in watchers
  Observer* observer = nullptr;     ///< may be null

  FactorizationRunOptions() = default;
  FactorizationRunOptions(FactorizationOptions options)  // NOLINT(google-explicit-constructor): with defaults for the rest
      : FactorizationOptions(std::move(options)) {}
};

/// Returns the number that FactorizationOptions::num_threads stands for.
[[nodiscard]] int number_of_threads(int wanted);

/// Returns the limit that FactorizationOptions::memory_limit stands for, now and for this many threads.
[[nodiscard]] MemoryLimit memory_limit(const FactorizationOptions& options, int num_threads);

/// External participants in a factorization; all may be null.
template <Scalar S>
struct FrontPorts {
  FrontWatcher<S>* watcher = nullptr;
  FrontStore<S>* store = nullptr;
};

template <Scalar S>
struct FactorizationResult {
  std::optional<Factors<S>> factors;  ///< empty when the status is not_positive_definite
  FactorizationReport report;
};

/// Factorizes the matrix whose pattern was analysed. `values` are in the order of that pattern's entries; the scalings D_r and D_c
/// (by original numbers, empty for none; equal for the symmetric methods) are applied on the way and kept with the factors. The
/// report does not depend on what is kept, except for its bytes. `ports.watcher` sees every executed front; fronts in `ports.store`
/// are not executed, and executed ones are handed over to it, which requires that all factors are kept. Throws MemoryError naming
/// the bytes that would suffice when memory or the limit does not; BudgetError before it would exceed the budget; StoppedError;
/// UsageError for wrong lengths.
template <Scalar S>
[[nodiscard]] FactorizationResult<S> factorize(std::shared_ptr<const Symbolic> symbolic, Method method, std::span<const S> values,
                                               std::vector<RealOf<S>> row_scaling, std::vector<RealOf<S>> col_scaling,
                                               const FactorizationRunOptions& options, const FrontPorts<S>& ports = {});

}  // namespace frond
