// SPDX-License-Identifier: BSD-3-Clause
// Solves systems of one pattern whose values are in memory, several in the lanes of vectors where that is possible.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "solver/distributed/batch/batch_parts.hpp"
#include "solver/numerics/sweeps/idle_pool.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/thin/lane_system.hpp"

namespace frond {
namespace {

// The factors of the first system, along whose pivots others are factorized.
template <Scalar S>
class Leader {
 public:
  // Without factors where these, or those of several systems, are not for this matrix.
  Leader(const Analysis& analysis, const SystemMatrix<S>& matrix) : matrix_(matrix) {
    const std::shared_ptr<const ThinAnalysis>& thin = analysis.thin();
    if (thin && has_room(*thin)) {
      system_ = ThinSystem<S>::factorize(thin, matrix_);
      if (system_ && !LaneSystem<S>::suits(*system_)) {
        system_.reset();
      }
    }
  }

  [[nodiscard]] Index num_lanes() const { return system_ ? kLanes<S> : 1; }

  [[nodiscard]] std::vector<std::optional<SolveReport>> solve(const typename LaneSystem<S>::Systems& systems) {
    try {
      std::unique_ptr<LaneSystem<S>> lanes = idle_.take();
      if (!lanes) {
        lanes = std::make_unique<LaneSystem<S>>(system_);
      }
      std::vector<std::optional<SolveReport>> reports = lanes->solve(systems);
      idle_.give_back(std::move(lanes));
      return reports;
    } catch (const std::bad_alloc&) {
      return std::vector<std::optional<SolveReport>>(systems.matrices.size());
    }
  }

 private:
  [[nodiscard]] static bool has_room(const ThinAnalysis& analysis) {
    const ThinPlan& plan = analysis.plan();
    const Count most = plan.most_bytes(analysis.options().factorization.memory_limit);
    return most == 0 || (1 + kLanes<S>)*plan.bytes(plan.order.entries) <= most;  // those of the leader, and those in lanes
  }

  SystemMatrix<S> matrix_;
  std::shared_ptr<const ThinSystem<S>> system_;
  IdlePool<std::unique_ptr<LaneSystem<S>>> idle_;
};

// A worker takes several groups of small systems at a time, since taking one costs as much as a few equations.
Count num_tasks_of(Count num_groups, Index order) {
  constexpr Index kEquations = 1000;
  return (num_groups * order + kEquations - 1) / std::max(kEquations, order);
}

}  // namespace

template <Scalar S>
std::vector<SolveReport> Batch::solve_all(Count num_systems, const std::function<SystemMatrix<S>(Count)>& matrix_of,
                                          DenseView<const S> b, DenseView<S> x, Operation operation,
                                          const std::function<void(Count)>& done) const {
  if (!parts_->options.has_one_pattern) {
    throw UsageError("systems of several patterns: say that the batch has one, or solve them one by one");
  }
  if (num_systems == 0) {
    return {};
  }
  if (num_systems < 0 || b.cols % num_systems != 0 || b.cols != x.cols) {
    throw UsageError(
        fmt::format("{} systems with {} columns of right-hand sides and {} of solutions: each system has the same number",
                    num_systems, b.cols, x.cols));
  }
  const auto num_columns = static_cast<Index>(b.cols / num_systems);
  const SystemMatrix<S> first = matrix_of(0);
  check_right_hand_sides<S>(first.order(), b, x);
  SolverOptions solver = parts_->options.solver;
  solver.observer = with_call_off(std::move(solver.observer));
  Leader<S> leader(parts_->analysis_of(first, solver), first);
  std::vector<SolveReport> reports(static_cast<std::size_t>(num_systems));
  std::mutex mutex;
  Count num_done = 0;
  const Count num_lanes = leader.num_lanes();
  const auto solve_group = [&](Count begin, Count end) {
    std::vector<SystemMatrix<S>> matrices;
    for (Count system = begin; system < end; ++system) {
      matrices.push_back(matrix_of(system));
    }
    const auto columns_of = [&](const auto& view, Count from, Count to) {
      return view.columns(static_cast<Index>(from * num_columns), static_cast<Index>(to * num_columns));
    };
    std::vector<std::optional<SolveReport>> found(matrices.size());
    if (num_lanes > 1) {
      found = leader.solve({matrices, columns_of(b, begin, end), columns_of(x, begin, end), num_columns, operation});
    }
    for (Count system = begin; system < end; ++system) {
      try {
        std::optional<SolveReport>& in_lane = found[system - begin];
        reports[system] = in_lane ? std::move(*in_lane)
                                  : solve<S>(matrices[system - begin], columns_of(b, system, system + 1),
                                             columns_of(x, system, system + 1), operation);
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("system {}: {}", system, error.what()));
      }
      if (done) {
        const std::lock_guard lock(mutex);
        done(++num_done);
      }
    }
  };
  const Count num_tasks = num_tasks_of((num_systems + num_lanes - 1) / num_lanes, first.order());
  run(num_tasks, [&](Count task) {
    const Count per_task = (num_systems + num_tasks * num_lanes - 1) / (num_tasks * num_lanes) * num_lanes;
    const Count end = std::min((task + 1) * per_task, num_systems);
    for (Count begin = task * per_task; begin < end; begin += num_lanes) {
      solve_group(begin, std::min(begin + num_lanes, end));
    }
  });
  return reports;
}

#define FROND_INSTANTIATE(S)                                                                                                  \
  template std::vector<SolveReport> Batch::solve_all(Count, const std::function<SystemMatrix<S>(Count)>&, DenseView<const S>, \
                                                     DenseView<S>, Operation, const std::function<void(Count)>&) const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
