// SPDX-License-Identifier: BSD-3-Clause
// Makes a communicator of the grid's ranks, and runs ScaLAPACK on it.
#include "solver/distributed/mpi/root_on_grid.hpp"

#include <algorithm>

#include "factorization/scalapack/scalapack_root.hpp"

namespace frond {

template <Scalar F>
std::shared_ptr<RootSolver<F>> make_root_solver(const Communicator& ranks, const AssemblyTree& tree, const Mapping& mapping,
                                                Method method, RealOf<F> null_pivot) {
  const RootGrid& grid = mapping.root_grid();
  if (grid.node == kNoNode || holds_schur_complement(grid, tree) ||
      !std::binary_search(grid.ranks.begin(), grid.ranks.end(), ranks.rank())) {
    return nullptr;
  }
  return std::make_shared<ScalapackRoot<F>>(ranks.of_ranks(grid.ranks), grid.shape, method, null_pivot);
}

#define FROND_INSTANTIATE(S)                                                                                                 \
  template std::shared_ptr<RootSolver<S>> make_root_solver(const Communicator&, const AssemblyTree&, const Mapping&, Method, \
                                                           RealOf<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
