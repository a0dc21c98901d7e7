// SPDX-License-Identifier: BSD-3-Clause
// Solves systems of one pattern with the workers of a batch, each of which solves one at a time.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/solver_of.hpp"
#include "solver/options/relayed_observer.hpp"

namespace frond {
namespace {

// There are as many workers as a factorization would have threads.
BatchOptions batch_options(SolverOptions solver) {
  BatchOptions batch;
  batch.num_workers = solver.factorization.num_threads;
  batch.solver = std::move(solver);
  batch.solver.factorization.num_threads = 1;
  batch.solver.observer = std::make_shared<ObserverWithoutProgress>(batch.solver.observer);
  return batch;
}

// Throws UsageError unless there can be that many columns.
Index checked_width(std::int64_t num_systems, std::int32_t count) {
  if (num_systems < 0 || count < 0) {
    throw UsageError(fmt::format("there are {} systems with {} right-hand sides each", num_systems, count));
  }
  constexpr std::int64_t kMost = std::numeric_limits<Index>::max();
  if (num_systems > kMost / std::max(count, 1)) {
    throw UsageError(fmt::format("{} systems with {} right-hand sides each: at most {} columns may be solved by one call",
                                 num_systems, count, kMost));
  }
  return static_cast<Index>(num_systems * count);
}

}  // namespace

template <Scalar S>
std::vector<SolveReport> SolverOf<S>::solve_batch(int operation, std::int64_t num_systems, const void* values, std::int32_t count,
                                                  const void* b, std::int64_t ldb, void* x, std::int64_t ldx) {
  if (!team().has_callers_side_by_side()) {
    throw UsageError("a batch is solved by the threads of one process: make the solver by frond_create()");
  }
  const Index width = checked_width(num_systems, count);
  const GivenSides<S> given(
      team(), [&] { return view(b, ldb, order(), width, "b"); }, [&] { return view(x, ldx, order(), width, "x"); });
  const Operation op = operation_of(operation);
  const auto num_values = static_cast<std::size_t>(pattern().num_given());
  require(values, num_values > 0 && num_systems > 0, "the array values");
  if (num_systems == 0) {
    return {};
  }
  const std::function<SystemMatrix<S>(Count)> matrix_of = [&](Count system) {
    const S* first = static_cast<const S*>(values) + static_cast<std::size_t>(system) * num_values;
    return system_with(std::make_shared<const std::vector<S>>(pattern().template arrange<S>({first, num_values})));
  };
  BatchOptions options = batch_options(solver_options());
  options.has_one_pattern = true;
  options.analysis = analysis_for(matrix_of(0));
  return Batch(std::move(options)).solve_all<S>(num_systems, matrix_of, given.b(), given.x(), op, [&](Count num_done) {
    this->settings().watch().progress(static_cast<double>(num_done) / static_cast<double>(num_systems));
  });
}

#define FROND_INSTANTIATE(S)                                                                                            \
  template std::vector<SolveReport> SolverOf<S>::solve_batch(int, std::int64_t, const void*, std::int32_t, const void*, \
                                                             std::int64_t, void*, std::int64_t);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
