// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves over several ranks with factors of lower precision.
#pragma once

#include <optional>

#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_sweeps.hpp"
#include "solver/numerics/sweeps/lower_factors.hpp"

namespace frond {

/// A system whose factors are those of D_r A D_c, scaled and then rounded to lower precision, as one of its ranks knows it.
template <Scalar S>
struct LowerRankSystem {
  RankSystem<LowerOf<S>> lower;       ///< without scaling
  const Scaling<RealOf<S>>* scaling;  ///< of A; must outlive everything that uses this
};

/// As LowerFactors::solve() does. Only rank 0 has anything to convert.
template <Scalar S>
class LowerSweeps final : public Sweeps<S> {
 public:
  LowerSweeps(const LowerRankSystem<S>& system, Outbox& outbox) : scaling_(*system.scaling), sweeps_(system.lower, outbox) {}

  /// Only the whole solve: intermediate vectors are in lower precision.
  void start(const Sweep<S>& sweep) override {
    if (sweep.part != SweepPart::whole) {
      throw InternalError("factors of lower precision are not solved with part by part");
    }
    x_ = sweep.x;
    side_.emplace(scaling_, sweep.operation, x_);
    sweeps_.start({sweep.operation, side_->values()});
  }
  [[nodiscard]] bool take_solution() override {
    const bool is_solved = sweeps_.take_solution();
    if (is_solved) {
      side_->store(x_);
      side_.reset();
    }
    return is_solved;
  }
  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override {
    return sweeps_.receive(kind, from, reader);
  }
  void on_room() override { sweeps_.on_room(); }
  void abandon(SolveMessage kind) override { sweeps_.abandon(kind); }

 private:
  const Scaling<RealOf<S>>& scaling_;
  RankSweeps<LowerOf<S>> sweeps_;
  DenseView<S> x_;
  std::optional<LowerSide<S>> side_;
};

}  // namespace frond
