// SPDX-License-Identifier: BSD-3-Clause
// The log of a rank's finished fronts in virtual time: what LogThreads does, on a disk of SimGrid's.
#pragma once

#include <optional>
#include <simgrid/s4u.hpp>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "factorization/ghosts/ghost_store.hpp"
#include "solver/storage/checkpoint/log_queue.hpp"

namespace frond {

/// What the logs of all ranks together have on their disks.
class SimulatedCensus {
 public:
  explicit SimulatedCensus(const AssemblyTree& tree);

  void expect_slaves(NodeId node, Rank num_slaves);  ///< of a front whose master's part is finished
  void add(const LogKey& piece);

  /// From which fronts a run would go on: [node].
  [[nodiscard]] std::vector<char> resumable() const;
  /// A run begins that goes on from these, and executes all others: what there is of them is of no use any more.
  void begin_from(const std::vector<char>& found);

  /// The flops of the fronts from which a run would go on, by elimination.
  [[nodiscard]] double resumable_flops(Method method) const;

 private:
  /// Parts of a front.
  struct Stored {
    bool has_master = false;
    bool has_block = false;  // of a front of one rank
    Rank num_slaves = 0;
    Rank num_factor_rows = 0;
    Rank num_block_rows = 0;
  };

  const AssemblyTree& tree_;
  std::vector<Stored> stored_;  // [node]
};

/// Pieces are written one after the other, at what the disk gives to this rank of its rate, by an actor of its own.
class SimulatedLog final : public GhostStore {
 public:
  SimulatedLog(simgrid::s4u::Disk* disk, simgrid::s4u::Host* host, SimulatedCensus& census);

  void take_factor(NodeId node, PartRole role, Count num_bytes, Rank num_slaves) override;
  void take_block(NodeId node, PartRole role, Count num_bytes) override;
  void let_go(NodeId node, PartRole role) override;
  void settle() override;

  [[nodiscard]] Count num_bytes() const { return num_bytes_; }  ///< written
  [[nodiscard]] Count num_blocks_left_out() const { return queue_.num_dropped(); }
  [[nodiscard]] double seconds_waited() const { return queue_.seconds_waited(); }

 private:
  struct Piece {
    LogKey key;
    Count num_bytes = 0;
  };

  void push(const Piece& piece);
  void wait_for_end(std::optional<double> most_seconds = {});
  [[nodiscard]] bool write(const Piece& piece);
  void run();

  simgrid::s4u::Disk* disk_;
  SimulatedCensus& census_;
  LogQueue<Piece> queue_;
  Count num_bytes_ = 0;
  // No locks: an actor that is ended while it waits with one has to give it back, and cannot any more.
  simgrid::s4u::SemaphorePtr pushed_;
  simgrid::s4u::SemaphorePtr ended_;  // a piece, while the rank waits
  bool does_rank_wait_ = false;
};

}  // namespace frond
