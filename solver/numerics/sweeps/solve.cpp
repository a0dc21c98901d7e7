// SPDX-License-Identifier: BSD-3-Clause
// Runs solves, and parts of them, within limits of memory and threads.
#include "solver/numerics/sweeps/solve.hpp"

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <new>

#include "factorization/kernels/blas_threads.hpp"
#include "frond/error.hpp"
#include "matrices/parallel.hpp"
#include "solver/numerics/sweeps/tree_solve.hpp"

namespace frond {
namespace {

template <Scalar S>
void solve_in_arena(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                    const BetweenSweeps<S>& between) {
  TreeSolve<S> solve(factors, plan, part, operation, x.cols);
  if (has_first(part)) {
    solve.load(x);
    solve.forward();
  } else {
    solve.load_pivots(x);
  }
  if (part == SweepPart::diagonal) {
    solve.diagonal();
  }
  if (between) {
    solve.store_schur_equations(x);
    if (!between(x)) {
      return;
    }
    solve.load_schur_unknowns(x);
  }
  if (has_second(part)) {
    solve.backward();
    solve.store(x);
  } else {
    solve.store_pivots(x);
  }
}

template <Scalar S>
void solve_trees_in_arena(const Factors<S>& factors, const SolvePlan& plan, const EliminatedTrees& trees, SweepPart part,
                          Operation operation, DenseView<S> x) {
  TreeSolve<S> solve(factors, plan, part, operation, x.cols);
  solve.go_to(trees.nodes);
  if (has_first(part)) {
    solve.load(operation == Operation::plain ? trees.rows : trees.columns, x);
    solve.forward();
  } else {
    solve.load_pivots(x);
  }
  if (part == SweepPart::diagonal) {
    solve.diagonal();
  }
  if (has_second(part)) {
    solve.backward();
    solve.store_rows(operation == Operation::plain ? trees.columns : trees.rows, x);
  } else {
    solve.store_pivots(x);
  }
}

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

// Runs `work` in an arena of this many threads.
template <Scalar S, class Work>
void with_threads(const Factors<S>& factors, const SolvePlan& plan, Index num_rhs, int num_threads, Work work) {
  const Count bytes = workspace_bytes(factors, plan, num_rhs);
  const BlasThreadsGuard guard(threads_with_core(num_threads), bytes);
  within_memory(num_rhs, bytes, [&] {
    tbb::task_arena arena(guard.num_threads());
    arena.execute(work);
  });
}

template <Scalar S>
void solve_with_threads(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                        int num_threads, const BetweenSweeps<S>& between) {
  with_threads(factors, plan, x.cols, num_threads, [&] { solve_in_arena(factors, plan, part, operation, x, between); });
}

}  // namespace

template <Scalar S>
void solve_with_factors(const Factors<S>& factors, const SolvePlan& plan, Operation operation, DenseView<S> x, int num_threads) {
  solve_with_part(factors, plan, SweepPart::whole, operation, x, num_threads);
}

template <Scalar S>
void solve_around_schur(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                        int num_threads, const BetweenSweeps<S>& between) {
  solve_with_threads<S>(factors, plan, part, operation, x, num_threads, between);
}

template <Scalar S>
void solve_with_part(const Factors<S>& factors, const SolvePlan& plan, SweepPart part, Operation operation, DenseView<S> x,
                     int num_threads) {
  solve_with_threads<S>(factors, plan, part, operation, x, num_threads, {});
}

template <Scalar S>
void solve_with_trees(const Factors<S>& factors, const SolvePlan& plan, const EliminatedTrees& trees, SweepPart part,
                      Operation operation, DenseView<S> x, int num_threads) {
  with_threads(factors, plan, x.cols, num_threads, [&] { solve_trees_in_arena(factors, plan, trees, part, operation, x); });
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

#define FROND_INSTANTIATE(S)                                                                                                      \
  template void solve_with_factors(const Factors<S>&, const SolvePlan&, Operation, DenseView<S>, int);                            \
  template void solve_around_schur(const Factors<S>&, const SolvePlan&, SweepPart, Operation, DenseView<S>, int,                  \
                                   const BetweenSweeps<S>&);                                                                      \
  template void solve_with_part(const Factors<S>&, const SolvePlan&, SweepPart, Operation, DenseView<S>, int);                    \
  template void solve_with_trees(const Factors<S>&, const SolvePlan&, const EliminatedTrees&, SweepPart, Operation, DenseView<S>, \
                                 int);                                                                                            \
  template void solve_selected(const Factors<S>&, const SolvePlan&, Operation, const MatrixView<S>&, std::span<const Index>,      \
                               DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
