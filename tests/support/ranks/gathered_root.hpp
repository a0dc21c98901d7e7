// SPDX-License-Identifier: BSD-3-Clause
// The root on a grid whose ranks share one process: parts are gathered, and LAPACK does the work.
#pragma once

#include <memory>
#include <vector>

#include "factorization/root/root_solver.hpp"

namespace frond::test {

/// The solvers of all ranks of a grid, in the order of RootGrid::ranks. Nothing blocks: the last rank to make a call does the work,
/// in memory for the whole root that is held meanwhile, and calls every rank's `then`, in order. Ranks may be threads.
template <Scalar S>
[[nodiscard]] std::vector<std::unique_ptr<RootSolver<S>>> make_gathered_roots(GridShape shape, Method method, RealOf<S> null_pivot);

}  // namespace frond::test
