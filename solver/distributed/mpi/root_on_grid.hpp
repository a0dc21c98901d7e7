// SPDX-License-Identifier: BSD-3-Clause
// What factorizes and solves with the root on a grid of MPI's processes.
#pragma once

#include <memory>

#include "analysis/mapping/mapping.hpp"
#include "factorization/root/root_solver.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective over the ranks of the root's grid; nothing on the others, and where there is no root on a grid to be factorized.
template <Scalar F>
[[nodiscard]] std::shared_ptr<RootSolver<F>> make_root_solver(const Communicator& ranks, const AssemblyTree& tree,
                                                              const Mapping& mapping, Method method, RealOf<F> null_pivot);

}  // namespace frond
