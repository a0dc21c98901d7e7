// SPDX-License-Identifier: BSD-3-Clause
// The log of a rank's finished fronts in virtual time: does what LogThreads does, on a SimGrid disk.
#pragma once

#include <optional>
#include <simgrid/s4u.hpp>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "factorization/ghosts/ghost_store.hpp"
#include "solver/storage/checkpoint/log_queue.hpp"

namespace frond {

/// The content of the logs of all ranks together on their disks.
class SimulatedCensus {
 public:
  explicit SimulatedCensus(const AssemblyTree& tree);

  void expect_slaves(NodeId node, Rank num_slaves);  ///< of a front whose master part is finished
  void add(const LogKey& piece);

  /// Returns from which fronts a run could continue: [node].
  [[nodiscard]] std::vector<char> resumable() const;
  /// Starts a run that continues from these fronts and executes all others, whose stored parts become useless.
  void begin_from(const std::vector<char>& found);

  /// Returns the elimination flops of the fronts from which a run could continue.
  [[nodiscard]] double resumable_flops(Method method) const;

 private:
  /// The stored parts of a front.
  struct Stored {
    bool has_master = false;
    bool has_block = false;  // of a front on one rank
    Rank num_slaves = 0;
    Rank num_factor_rows = 0;
    Rank num_block_rows = 0;
  };

  const AssemblyTree& tree_;
  std::vector<Stored> stored_;  // [node]
};

/// A separate actor writes the pieces one after the other, at this rank's share of the disk's rate.
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
  // No locks: an actor that is ended while it waits with one would have to release it, and no longer can.
  simgrid::s4u::SemaphorePtr pushed_;
  simgrid::s4u::SemaphorePtr ended_;  // signalled at the end of a piece, while the rank waits
  bool does_rank_wait_ = false;
};

}  // namespace frond
