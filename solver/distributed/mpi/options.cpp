// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts options as plain values.
#include "solver/distributed/mpi/options.hpp"

#include <span>
#include <type_traits>
#include <utility>

#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {
namespace {

/// The options that count for all, except lists.
struct SharedOptions {
  std::optional<Method> method;
  bool detect_symmetry;
  AmalgamationOptions amalgamation;
  double candidate_relaxation;
  SubtreeLayerOptions layer;
  RowDistributionOptions rows;
  Index grid_order_per_side;
  Index grid_block_size;
  SplittingOptions splitting;
  ScalingKind scaling;
  int most_scaling_sweeps;
  double scaling_tolerance;
  PivotingOptions pivoting;
  WorkBudget budget;
  KeptFactors kept;
  int most_refinement_steps;
  int most_krylov_steps;
  double refinement_target;
  Precision precision;
  ErrorBounds error_bounds;
  LoadMechanism load_exchange;
  Schedule schedule;
  WorkSharing sharing;
  ChunkKind chunks;
  bool is_checkpoint_in_memory;
  bool may_leave;
};
static_assert(std::is_trivially_copyable_v<SharedOptions>);

// Calls visit(option, its place in `shared`) for every option.
template <class Options, class Shared, class Visit>
void for_each_option(Options& options, Shared& shared, Visit visit) {
  auto& analysis = options.analysis;
  visit(options.method, shared.method);
  visit(options.detect_symmetry, shared.detect_symmetry);
  visit(analysis.amalgamation, shared.amalgamation);
  visit(analysis.mapping.candidate_relaxation, shared.candidate_relaxation);
  visit(analysis.mapping.layer, shared.layer);
  visit(analysis.mapping.rows, shared.rows);
  visit(analysis.mapping.grid.order_per_side, shared.grid_order_per_side);
  visit(analysis.mapping.grid.block_size, shared.grid_block_size);
  visit(analysis.mapping.splitting, shared.splitting);
  visit(options.scaling.kind, shared.scaling);
  visit(options.scaling.max_sweeps, shared.most_scaling_sweeps);
  visit(options.scaling.tolerance, shared.scaling_tolerance);
  visit(options.factorization.pivoting, shared.pivoting);
  visit(options.factorization.budget, shared.budget);
  visit(options.factorization.kept, shared.kept);
  visit(options.refinement.max_steps, shared.most_refinement_steps);
  visit(options.refinement.max_krylov_steps, shared.most_krylov_steps);
  visit(options.refinement.target, shared.refinement_target);
  visit(options.precision, shared.precision);
  visit(options.error_bounds, shared.error_bounds);
  visit(options.ranks.load_exchange, shared.load_exchange);
  visit(options.ranks.schedule, shared.schedule);
  visit(options.ranks.sharing, shared.sharing);
  visit(options.ranks.chunks, shared.chunks);
  visit(options.checkpoint.is_in_memory, shared.is_checkpoint_in_memory);
}

template <class T>
void broadcast_list(const Communicator& ranks, std::vector<T>& list) {
  auto size = static_cast<Count>(list.size());
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&size, 1)));
  agree(ranks, [&] { list.resize(static_cast<std::size_t>(size)); });
  broadcast(ranks, 0, std::as_writable_bytes(std::span(list)));
}

}  // namespace

SolverOptions shared_options(const Communicator& ranks, const SolverOptions& given) {
  SolverOptions mine;
  agree(ranks, [&] { mine = given; });
  SharedOptions shared{};
  for_each_option(mine, shared, [](const auto& option, auto& place) { place = option; });
  shared.may_leave = mine.ranks.leave_requested != nullptr;
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&shared, 1)));
  for_each_option(mine, shared, [](auto& option, const auto& place) { option = place; });
  if (ranks.rank() != 0) {
    mine.ranks.leave_requested = shared.may_leave ? [] { return LeaveRequest(); } : std::function<LeaveRequest()>();
  }
  for (std::vector<Index>* list : {&mine.analysis.mapping.grid.ranks, &mine.analysis.schur_variables}) {
    broadcast_list(ranks, *list);
  }
  GivenScales scales;
  agree(ranks, [&] {
    if (ranks.rank() == 0 && mine.scaling.given) {
      scales = *mine.scaling.given;
    }
  });
  broadcast_list(ranks, scales.rows);
  broadcast_list(ranks, scales.cols);
  agree(ranks, [&] { mine.scaling.given = std::make_shared<const GivenScales>(std::move(scales)); });
  mine.analysis.mapping.num_ranks = ranks.num_ranks();
  return mine;
}

RankDriverOptions driver_options(const SolverOptions& options) {
  RankDriverOptions driver;
  driver.watchdog_seconds = options.ranks.watchdog_seconds;
  driver.tell_wait = options.ranks.tell_wait;
  driver.stop_requested = options.stop_requested;
  return driver;
}

}  // namespace frond
