// SPDX-License-Identifier: BSD-3-Clause
// The root on a grid of processes: Cholesky by GridCholesky, LU and all solves by ScaLAPACK.
#pragma once

#include <functional>
#include <vector>

#include "factorization/root/root_solver.hpp"
#include "factorization/scalapack/blacs_grid.hpp"
#include "factorization/scalapack/grid_cholesky.hpp"
#include "factorization/scalapack/routines.hpp"

namespace frond {

/// Each call blocks, on the calling thread and with OpenBLAS on that thread alone, until all ranks of the grid have made it and the
/// work is done. All calls sleep until all ranks have made them; inside ScaLAPACK waits spin, so a machine should have a core for
/// each of its ranks in the grid (NodeLayout::one_rank_per_core).
///
/// The calling thread is one that may call MPI. Under MpiThreadLevel::serialized it keeps all other threads out of MPI for the
/// whole call; under `multiple`, and always in GridCholesky, the main loop and the load thread continue. One call of ScaLAPACK runs
/// at a time in a process: two solvers that run at the same time over the same processes must reach their roots in the same order
/// on each of them.
///
/// Memory for a part and whatever this class needs in addition is allocated before ScaLAPACK is entered, so that a rank can fail
/// without others waiting for it there. ScaLAPACK itself aborts the program if it cannot allocate its panels and messages.
template <Scalar S>
class ScalapackRoot final : public RootSolver<S> {
 public:
  /// Collective over the communicator, whose rank k is the grid's rank k; it has no other ranks.
  ScalapackRoot(Communicator grid_ranks, GridShape shape, Method method, RealOf<S> null_pivot);

  /// Throws UsageError, on all ranks, if ScaLAPACK cannot count the entries of a part.
  void factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) override;
  void gather(const RootPart<S>& part, S* whole, std::function<void()> then) override;
  void abandon() override;
  [[nodiscard]] std::vector<Index> exchanges() const override;
  void adopt(const RootPart<S>& part) override;
  void solve(RootFactors factors, Operation operation, DenseView<S> b, std::function<void()> then) override;

 private:
  [[nodiscard]] Index num_exchanged_rows() const {
    return method_ == Method::lu ? part_.layout.rows().local_size(part_.position.row) : 0;
  }
  [[nodiscard]] RootOutcome eliminate(GridCholesky<S>& cholesky) const;
  [[nodiscard]] RootOutcome eliminate_by_lu();
  [[nodiscard]] RootOutcome joined(const RootOutcome& mine);
  void solve_columns(RootFactors factors, GridOperation operation, DenseView<S> b, S* memory) const;
  void solve_with(const RootTriangle& factor, const scalapack::Matrix<S>& x) const;

  Method method_;
  RealOf<S> null_pivot_;
  BlacsGrid grid_;
  RootPart<S> part_;
  std::vector<int> exchanged_;         // LU: as scalapack::getrf() left it
  std::vector<RootOutcome> outcomes_;  // of the ranks
};

}  // namespace frond
