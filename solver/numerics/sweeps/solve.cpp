// SPDX-License-Identifier: BSD-3-Clause
// Runs solves, and parts of them, within limits of memory and threads.
#include "solver/numerics/sweeps/solve.hpp"

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>

#include "factorization/kernels/blas_threads.hpp"
#include "frond/error.hpp"
#include "matrices/parallel.hpp"
#include "solver/numerics/sweeps/tree_solve.hpp"

namespace frond {
namespace {

// Runs `work`, which needs about this many bytes.
template <class Work>
void within_memory(Index num_rhs, Count bytes, Work work) {
  const auto throw_no_workspace = [=] {
    throw MemoryError(
        fmt::format("no memory for the workspace of {} right-hand sides: about {} bytes are needed; solve fewer at a time", num_rhs,
                    bytes),
        bytes, 0);
  };
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw_no_workspace();
  } catch (const MemoryError&) {
    throw_no_workspace();
  }
}

template <Scalar S>
Count workspace_bytes(const Factors<S>& factors, const SolvePlan& plan, Index num_rhs) {
  return workspace_rows(factors.symbolic().tree(), factors.method(), plan) * num_rhs * static_cast<Count>(sizeof(S));
}

// No more than there are tasks: another thread would take the only one while this one waits.
int threads_with_tasks(int num_threads, const SolvePlan& plan, Index num_rhs) {
  const Count num_tasks = static_cast<Count>(plan.steps().size()) * num_rhs;
  return static_cast<int>(std::clamp<Count>(num_tasks, 1, threads_with_core(num_threads)));
}

}  // namespace

template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, const Sweep<S>& sweep, int num_threads,
                        const EliminatedTrees* trees, const std::function<void(DenseView<S> rows)>& solve_complement) {
  const Count bytes = workspace_bytes(factors, plan, sweep.x.cols);
  const BlasThreadsGuard guard(threads_with_tasks(num_threads, plan, sweep.x.cols), bytes);
  within_memory(sweep.x.cols, bytes, [&] {
    tbb::task_arena arena(guard.num_threads());
    arena.execute([&] {
      const DenseView<S> x = sweep.x;
      const bool is_plain = sweep.operation == Operation::plain;
      TreeSolve<S> solve(factors, plan, sweep.part, sweep.operation, x.cols);
      if (trees != nullptr) {
        solve.go_to(trees->nodes);
      }
      if (has_first(sweep.part)) {
        trees != nullptr ? solve.load(is_plain ? trees->rows : trees->columns, x) : solve.load(x);
        solve.forward();
      } else {
        solve.load_pivots(x);
      }
      if (sweep.part == SweepPart::diagonal) {
        solve.diagonal();
      }
      if (factors.symbolic().schur_order() > 0) {
        if (sweep.use != SchurUse::expand) {
          solve.store_schur_equations(x);
        }
        if (sweep.use == SchurUse::condense) {
          return;
        }
        if (sweep.use == SchurUse::solve) {
          solve_complement(x);
        }
        solve.load_schur_unknowns(x);
      }
      if (has_second(sweep.part)) {
        solve.backward();
        trees != nullptr ? solve.store_rows(is_plain ? trees->columns : trees->rows, x) : solve.store(x);
      } else {
        solve.store_pivots(x);
      }
    });
  });
}

template <Scalar S>
void solve_selected(const Factors<S>& factors, const SolvePlan& plan, Operation operation, const MatrixView<S>& b,
                    std::span<const Index> rows, DenseView<S> x) {
  within_memory(x.cols, workspace_bytes(factors, plan, x.cols), [&] {
    TreeSolve<S> solve(factors, plan, SweepPart::whole, operation, x.cols);
    solve.load(b);
    solve.want(rows);
    solve.forward();
    solve.backward();
    solve.store(rows, x);
  });
}

#define FROND_INSTANTIATE(S)                                                                                                 \
  template void solve_with_factors(const Factors<S>&, const SolvePlan&, const Sweep<S>&, int, const EliminatedTrees*,        \
                                   const std::function<void(DenseView<S>)>&);                                                \
  template void solve_selected(const Factors<S>&, const SolvePlan&, Operation, const MatrixView<S>&, std::span<const Index>, \
                               DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
