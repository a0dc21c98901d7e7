// SPDX-License-Identifier: BSD-3-Clause
// Implements the options, the shared analysis, and the workers of one process.
#include "frond/batch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "factorization/memory/memory_limit.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "loadinfo/messages/processors.hpp"
#include "solver/distributed/batch/batch_parts.hpp"
#include "solver/distributed/batch/pool_desk.hpp"

namespace frond {
namespace {

void check(const BatchOptions& options) {
  if (options.num_workers < 0) {
    throw UsageError(fmt::format("a batch with {} workers: 0 stands for one on each core", options.num_workers));
  }
  if (options.num_processes < 1) {
    throw UsageError(fmt::format("a batch in {} processes of this machine: there is one at least", options.num_processes));
  }
  if (options.group_size < 1) {
    throw UsageError(fmt::format("a batch by groups of {} processes: a group has one at least", options.group_size));
  }
  if (options.group_size > 1 && options.num_workers > 1) {
    throw UsageError(fmt::format("a batch by groups of {} processes with {} workers in each: a group solves one system at a time",
                                 options.group_size, options.num_workers));
  }
  if (!options.solver.checkpoint.directory.empty() || !options.solver.analysis.schur_variables.empty()) {
    throw UsageError("a batch has neither checkpoints nor Schur complements");
  }
  if (options.analysis && !options.has_one_pattern) {
    throw UsageError("an analysis is given for a batch of several patterns: say that it has one, or give none");
  }
}

BatchOptions resolved(BatchOptions options) {
  check(options);
  FactorizationOptions& factorization = options.solver.factorization;
  factorization.num_threads = std::max(1, factorization.num_threads);
  if (options.group_size > 1) {
    options.num_workers = 1;
  }
  if (options.num_workers == 0) {
    const auto num_cores = static_cast<int>(usable_processors().size());
    options.num_workers = std::max(1, num_cores / factorization.num_threads / options.num_processes);
  }
  const int num_parts = options.num_workers * options.num_processes;
  if (num_parts > 1) {
    const MemoryLimit limit = factorization.memory_limit > 0
                                  ? MemoryLimit{factorization.memory_limit, factorization.memory_limit_reason}
                                  : find_memory_limit(num_parts * factorization.num_threads);
    if (limit.bytes > 0) {
      factorization.memory_limit = std::max(kNoMemoryIsLeft, limit.bytes / num_parts);
      // With a reason set, a group would determine the limit again, and take the parts of others.
      factorization.memory_limit_reason =
          options.group_size > 1 ? "" : fmt::format("an equal part of the memory for each of {} workers", num_parts);
    }
  }
  return options;
}

}  // namespace

Batch::Parts::Parts(BatchOptions how) : options(resolved(std::move(how))), analysis(std::move(options.analysis)) {}

void Batch::Parts::check_that_each_works_alone() const {
  if (options.group_size > 1) {
    throw UsageError(
        fmt::format("a batch by groups of {} processes: run() it with work that takes the place of a group", options.group_size));
  }
}

Batch::Batch(BatchOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Batch::~Batch() = default;
Batch::Batch(Batch&& other) noexcept = default;
Batch& Batch::operator=(Batch&& other) noexcept = default;

int Batch::num_workers() const { return parts_->options.num_workers; }

void Batch::run(Count num_systems, const std::function<void(Count)>& work) const {
  parts_->check_that_each_works_alone();
  std::vector<Count> systems(static_cast<std::size_t>(num_systems));
  std::iota(systems.begin(), systems.end(), Count{0});
  const auto num_threads = static_cast<Rank>(std::clamp<Count>(num_systems, 1, parts_->options.num_workers));
  PoolDesk desk({.tasks = std::move(systems),
                 .chunks = parts_->options.chunks,
                 .workers_per_place = num_threads,
                 .observer = parts_->options.solver.observer.get()},
                [](Count /*system*/, std::string&& /*result*/) {});
  const std::function<std::string(Count)> work_without_result = [&work](Count system) {
    work(system);
    return std::string();
  };
  {
    const DeskWorkers workers(desk, work_without_result, 1);
    DeskWorkers::run(desk, work_without_result, 0);
  }
  if (const std::exception_ptr failure = desk.failure()) {
    std::rethrow_exception(failure);
  }
}

template <Scalar S>
SolveReport Batch::solve(const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x, Operation operation) const {
  SolverOptions solver = parts_->options.solver;
  solver.observer = with_call_off(std::move(solver.observer));
  const Factorization<S> factorization(parts_->analysis_of(matrix, solver), matrix);
  return factorization.solve(b, x, operation);
}

#define FROND_INSTANTIATE(S) \
  template SolveReport Batch::solve(const SystemMatrix<S>&, DenseView<const S>, DenseView<S>, Operation) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
