// SPDX-License-Identifier: BSD-3-Clause
// Makes the solver for a root on a grid of MPI processes.
#pragma once

#include <memory>

#include "analysis/mapping/mapping.hpp"
#include "factorization/root/root_solver.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective over the ranks of the root's grid; null on the others, and if no root on a grid is to be factorized.
template <Scalar F>
[[nodiscard]] std::shared_ptr<RootSolver<F>> make_root_solver(const Communicator& ranks, const AssemblyTree& tree,
                                                              const Mapping& mapping, Method method, RealOf<F> null_pivot);

}  // namespace frond
