// SPDX-License-Identifier: BSD-3-Clause
// Owns a grid of processes of ScaLAPACK.
#pragma once

#include <mutex>

#include "analysis/mapping/node_types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// While an object of this class lives, no other thread of this process is in BLACS, whose tables and buffers are process-wide and
/// unprotected; nor, where MPI demands that, in MPI.
class BlacsUse {
 public:
  explicit BlacsUse(MpiGate& gate);

 private:
  std::unique_lock<std::mutex> blacs_;
  std::unique_lock<std::mutex> mpi_;
};

/// A context of BLACS. Its construction is collective; it can be destroyed at any time, also after the end of MPI.
class BlacsGrid {
 public:
  /// Rank i * shape.num_cols + j of the communicator becomes process (i, j); it has no other ranks.
  BlacsGrid(Communicator communicator, GridShape shape);
  ~BlacsGrid();
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;

  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  [[nodiscard]] int context() const { return context_; }
  [[nodiscard]] BlacsUse enter() const { return BlacsUse(communicator_.gate()); }

 private:
  Communicator communicator_;
  int handle_ = 0;  // of the communicator
  int context_ = 0;
};

}  // namespace frond
