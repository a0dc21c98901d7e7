// SPDX-License-Identifier: BSD-3-Clause
// Brings right-hand sides to the ranks that will eliminate them with the matrix.
#pragma once

#include <span>
#include <vector>

#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_forward_elimination.hpp"
#include "solver/distributed/ranks/sweeps.hpp"
#include "solver/numerics/sweeps/solve_route.hpp"

namespace frond {

/// A system for LU before it is factorized, as one of its ranks knows it. The referenced objects are owned elsewhere.
template <Scalar S>
struct UnfactorizedRankSystem {
  const Symbolic& symbolic;
  const Mapping& mapping;
  std::span<const RealOf<S>> row_scaling;  ///< as in Factors
  std::span<const RealOf<S>> col_scaling;
  RankForwardElimination<S>* elimination;  ///< of this rank
};

/// Takes the place of sweeps: sends the columns of B, one block after the other, to the masters of their rows. "Solved" columns are
/// those that all ranks have; the numbers on rank 0 are unchanged.
template <Scalar S>
class SideLoading final : public Sweeps<S> {
 public:
  /// `outbox` must outlive this object.
  SideLoading(const UnfactorizedRankSystem<S>& system, Outbox& outbox) : system_(system), outbox_(outbox) {}

  void start(const Sweep<S>& sweep) override {
    const DenseView<S> b = sweep.x;
    const SolveRoute<S> route(system_.symbolic, Method::lu, sweep.operation, system_.row_scaling, system_.col_scaling);
    const std::vector<std::vector<S>> parts =
        rows_of_masters<S>(system_.symbolic.tree(), system_.mapping, b.cols, [&](Index variable, S* to) {
          const Index row = route.row_of_equation(variable);
          route.load(b, row, row, to);
        });
    for (Rank rank = 1; rank < outbox_.num_ranks(); ++rank) {
      outbox_.send(rank, encoded(SolveMessage::masters_rows, num_loaded_, b.cols, parts[rank]));
    }
    system_.elimination->load(num_loaded_, b.cols, parts[0]);
    num_loaded_ += b.cols;
    num_missing_ = outbox_.num_ranks() - 1;
    is_under_way_ = true;
  }

  [[nodiscard]] bool take_solution() override {
    const bool has_ended = is_under_way_ && num_missing_ == 0;
    is_under_way_ = is_under_way_ && !has_ended;
    return has_ended;
  }

  [[nodiscard]] bool receive(SolveMessage kind, Rank /*from*/, ByteReader& reader) override {
    if (kind == SolveMessage::rows_loaded) {
      --num_missing_;
    } else if (kind == SolveMessage::masters_rows) {
      const auto first = reader.value<Index>();
      const auto width = reader.value<Index>();
      system_.elimination->load(first, width, reader.list<S>());
      outbox_.send(0, encoded(SolveMessage::rows_loaded));
    } else {
      return false;
    }
    reader.expect_end();
    return true;
  }

  void on_room() override {}
  void abandon(SolveMessage /*kind*/) override {}

 private:
  UnfactorizedRankSystem<S> system_;
  Outbox& outbox_;
  Index num_loaded_ = 0;  // rank 0: columns
  Rank num_missing_ = 0;  // rank 0: answers
  bool is_under_way_ = false;
};

}  // namespace frond
