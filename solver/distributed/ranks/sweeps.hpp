// SPDX-License-Identifier: BSD-3-Clause
// The interface of triangular solves over several ranks to the programs that lead them.
#pragma once

#include "solver/distributed/ranks/solve_message.hpp"
#include "solver/numerics/sweeps/sweep.hpp"

namespace frond {

/// One rank's part in a sequence of solves, which rank 0 determines.
template <Scalar S>
class Sweeps {
 public:
  Sweeps() = default;
  Sweeps(const Sweeps&) = delete;
  Sweeps& operator=(const Sweeps&) = delete;
  virtual ~Sweeps() = default;

  /// On rank 0: begins a solve. The rows of its sides must outlive it, those that are wanted this call.
  virtual void start(const Sweep<S>& sweep) = 0;

  /// On rank 0: true once after X has become the solution.
  [[nodiscard]] virtual bool take_solution() = 0;

  /// Takes the message if it belongs to the sweeps: `reader` is behind its kind.
  [[nodiscard]] virtual bool receive(SolveMessage kind, Rank from, ByteReader& reader) = 0;

  /// The channel has room again.
  virtual void on_room() = 0;

  /// After a failure on this rank: lets the ranks of the root's grid continue without it, if `kind` is the message that calls it
  /// there.
  virtual void abandon(SolveMessage kind) = 0;
};

}  // namespace frond
