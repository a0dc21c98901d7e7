// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves over several ranks with factors of the levels of a block triangular form.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "solver/distributed/ranks/sweeps.hpp"
#include "solver/numerics/sweeps/block_substitution.hpp"

namespace frond {

/// Runs the sweeps once for each level, or twice, see BlockSubstitution; rank 0 multiplies with the couplings. Ranks skip the
/// fronts of other levels, where everything is zero.
template <Scalar S>
class BlockSweeps final : public Sweeps<S> {
 public:
  /// `levels` must outlive this object.
  BlockSweeps(std::unique_ptr<Sweeps<S>> of_levels, const CoupledLevels<S>& levels)
      : sweeps_(std::move(of_levels)), levels_(levels) {}

  void start(const Sweep<S>& sweep) override {
    course_.emplace(levels_, sweep);
    sweeps_->start(course_->sweep());
  }

  [[nodiscard]] bool take_solution() override {
    while (sweeps_->take_solution()) {
      course_->take();
      if (course_->ended()) {
        course_.reset();
        return true;
      }
      sweeps_->start(course_->sweep());  // may be solved at once
    }
    return false;
  }

  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override {
    return sweeps_->receive(kind, from, reader);
  }
  void on_room() override { sweeps_->on_room(); }
  void abandon(SolveMessage kind) override { sweeps_->abandon(kind); }

 private:
  std::unique_ptr<Sweeps<S>> sweeps_;  // of D
  const CoupledLevels<S>& levels_;
  std::optional<BlockSubstitution<S>> course_;  // on rank 0
};

}  // namespace frond
