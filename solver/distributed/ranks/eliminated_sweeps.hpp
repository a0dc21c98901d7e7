// SPDX-License-Identifier: BSD-3-Clause
// Solves on several ranks for right-hand sides that were eliminated together with the matrix.
#pragma once

#include "frond/error.hpp"
#include "solver/distributed/ranks/rank_sweeps.hpp"

namespace frond {

/// A factorized system that needs only the factors that the backward sweep reads, and the result of the forward sweep.
template <Scalar S>
struct EliminatedRankSystem {
  RankSystem<S> system;
  const EliminatedSides<S>* sides;  ///< must outlive everything that uses this
};

/// Each solve is for the next columns of B, in their order, whatever X contains at the start.
template <Scalar S>
class EliminatedSweeps final : public Sweeps<S> {
 public:
  EliminatedSweeps(const EliminatedRankSystem<S>& system, Outbox& outbox)
      : sides_(*system.sides), outbox_(outbox), sweeps_(system.system, outbox) {}

  /// Solves with op(A) = A and all of it. Throws InternalError when no column is left.
  void start(const Sweep<S>& sweep) override {
    const Index begin = num_started_;
    num_started_ += sweep.x.cols;
    if (sweep.part != SweepPart::whole || sweep.operation != Operation::plain || num_started_ > sides_.num_rhs) {
      throw InternalError("half of the factors solves once, with A, for right-hand sides that were eliminated with it");
    }
    const std::vector<std::byte> bytes = encoded(SolveMessage::backward_sweep, begin, num_started_);
    for (Rank rank = 1; rank < outbox_.num_ranks(); ++rank) {
      outbox_.send(rank, bytes);
    }
    sweeps_.start_backward(sides_, begin, num_started_, sweep.x);
  }

  [[nodiscard]] bool take_solution() override { return sweeps_.take_solution(); }

  [[nodiscard]] bool receive(SolveMessage kind, Rank from, ByteReader& reader) override {
    if (kind != SolveMessage::backward_sweep) {
      return sweeps_.receive(kind, from, reader);
    }
    const auto begin = reader.value<Index>();
    const auto end = reader.value<Index>();
    reader.expect_end();
    if (begin < 0 || begin > end || end > sides_.num_rhs) {
      throw InternalError(
          "a message between ranks names right-hand sides that were not eliminated; do all processes solve the same "
          "system?");
    }
    sweeps_.start_backward(sides_, begin, end, {});
    return true;
  }

  void on_room() override { sweeps_.on_room(); }
  void abandon(SolveMessage kind) override { sweeps_.abandon(kind); }

 private:
  const EliminatedSides<S>& sides_;
  Outbox& outbox_;
  RankSweeps<S> sweeps_;
  Index num_started_ = 0;  // rank 0: columns
};

}  // namespace frond
