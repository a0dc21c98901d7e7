// SPDX-License-Identifier: BSD-3-Clause
// The root on a grid of processes, by ScaLAPACK.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analysis/mapping.hpp"
#include "factorization/root_solver.hpp"
#include "factorization/scalapack/blacs_grid.hpp"

namespace frond {

/// Blocks in each call, on the calling thread and with OpenBLAS on that thread alone, until all ranks of the grid have made it and
/// the work is done; waits spin, so a machine should have a core for each of its ranks in the grid (ranks_with_cores()).
///
/// The calling thread is one that may call MPI. Under MpiThreadLevel::serialized it keeps all others out of MPI for the whole call;
/// under `multiple` the main loop and the load thread go on. One call of ScaLAPACK runs at a time in a process: two solvers that
/// run at the same time over the same processes must come to their roots in the same order on each of them.
template <Scalar S>
class ScalapackRoot final : public RootSolver<S> {
 public:
  /// To be made on the ranks of the grid; communicates nothing yet. Of `all`, which outlives this object and on which grid.ranks
  /// are numbered, factorize() makes the communicator of the grid; other ranks take no part in that.
  ScalapackRoot(const Communicator& all, const RootGrid& grid, Method method, RealOf<S> null_pivot);

  /// Throws UsageError, on all ranks, if ScaLAPACK cannot count the entries of a part.
  void factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) override;
  void gather(const RootPart<S>& part, S* whole, std::function<void()> then) override;
  void solve(Operation operation, DenseView<S> b, std::function<void()> then) override;

 private:
  [[nodiscard]] bool is_done_by_all(const std::function<void()>& prepare) const;
  [[nodiscard]] RootOutcome factorize_part();
  [[nodiscard]] RootOutcome joined(const RootOutcome& mine) const;
  void solve_columns(GridOperation operation, DenseView<S> b, S* memory) const;

  const Communicator& all_;
  RootGrid grid_;
  Method method_;
  RealOf<S> null_pivot_;
  std::optional<BlacsGrid> blacs_;
  RootPart<S> part_;
  std::vector<int> exchanged_;  // LU: as scalapack::getrf() left it
};

}  // namespace frond
