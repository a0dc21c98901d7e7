// SPDX-License-Identifier: BSD-3-Clause
// The fronts of one factorization in a directory: those of runs before this one, and those that this one finishes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/front_store.hpp"
#include "solver/storage/checkpoint/checkpoint_list.hpp"
#include "solver/storage/checkpoint/found_fronts.hpp"
#include "solver/storage/checkpoint/log_threads.hpp"
#include "solver/storage/checkpoint/stored_front.hpp"

namespace frond {

/// What is the same for all fronts of an archive.
struct ArchiveOptions {
  std::string directory;                                      ///< is there; all ranks see it
  std::uint64_t key = 0;                                      ///< tells this factorization from others
  double list_seconds = 600;                                  ///< from one list to the next
  std::function<bool()> wants_list = {};                      ///< asked now and then by a thread; may be empty
  std::function<void(const std::string&)> tell_trouble = {};  ///< called by a thread when the disk takes no more; may be empty
  Rank rank = 0;
  const Mapping* mapping = nullptr;  ///< null: there is one rank
  Index min_slave_rows = 1;          ///< of fronts whose rows are dealt anew

  [[nodiscard]] Rank num_ranks() const { return mapping == nullptr ? 1 : mapping->num_ranks(); }
};

/// What an archive has done in this run.
struct ArchiveCounts {
  Count num_fronts_found = 0;  ///< that need not be executed, on any rank
  double flops_found = 0;      ///< of those whose master's part this rank has read
  Count num_fronts_lost = 0;   ///< of which there is something, to be executed again: parts or what is below are missing
  Index num_lists = 0;
  LogProgress log;
};

// The way of what a factorization finishes:
//
//   engine ── finished fronts ──► FrontArchive ──► LogThreads ──► run-1.factors, run-1.blocks ── fsync ──► run-1.index
//          ◄── blocks to give back ──┘                 └── from time to time a list that names the logs, sealed by a link
//
// A record of an index is written when its entries are on the disk, so whatever an index names is there. A list says how far the
// closed logs count, so that a process that comes back from the dead adds nothing to what others rely on. Blocks whose parents are
// on a list are released from the disk.

/// Each rank has one, of the same directory, which is all that they know of each other here: a front is finished when the logs of
/// all of them together have all of its parts. Rank 0 seals the lists, the last one when it finishes, however the factorization
/// ended. Nothing that goes wrong with the disk while an archive writes is thrown: counts() says what it was.
template <Scalar F>
class FrontArchive final : public FrontStore<F> {
 public:
  /// Reads the last list that there is. Verifies the entries of blocks that will be needed, each on one rank. The tree outlives the
  /// archive. Throws InputError for what is damaged.
  FrontArchive(const AssemblyTree& tree, Method method, ArchiveOptions options);
  ~FrontArchive() override;

  // The beginning of this run, one after the other, each when the one before has been done on all ranks. Throw OutputError.
  void clear() const;  ///< removes what a run has left that ended before its first list
  void open();         ///< this rank's log
  /// Before that: entries of this rank that are not released come to no more; otherwise to as many as there are.
  void set_room(LogRoom room) { room_ = room; }
  void publish();  ///< the first list, so that a run after this one knows of all logs
  /// Instead: nothing is written, and counts() says why.
  void stay_closed(const std::string& why);

  [[nodiscard]] bool has(NodeId node) const override { return found_.has(node); }
  [[nodiscard]] DelayedVariables delayed(NodeId node) const override;
  [[nodiscard]] StoredLayout layout(NodeId node) const override { return layouts_.at(node); }
  [[nodiscard]] PivotCounts read_factor(NodeId node, FrontFactor<F>& front) override;
  void read_factor_rows(NodeId node, SlaveRows<F>& rows) override;
  void read_rows(const RowStream& stream, std::span<std::byte> image) const override;

  void take_factor(NodeId node, const NumericFront<F>& front, const FrontSize& size, const std::vector<RowShare>& shares,
                   const PivotCounts& counts) override;
  void take_block(NodeId node, const NumericFront<F>& front, bool is_row_distributed) override;
  void take_rows(NodeId node, const SlaveRows<F>& rows) override;
  void let_go(NodeId node, PartRole role) override;
  void settle() override;
  void finish(Count free_bytes) noexcept override;

  /// As LogThreads::abandon().
  bool abandon() { return threads_ != nullptr && threads_->abandon(); }

  [[nodiscard]] ArchiveCounts counts() const;
  [[nodiscard]] Count num_bytes_found() const { return found_.num_bytes(); }  ///< of all ranks' entries that count

 private:
  using Piece = FoundFronts::Piece;

  void verify_lists() const;
  void lay_out_found();
  void verify_blocks() const;
  [[nodiscard]] std::string stem_of(Rank rank) const;
  void on_committed(const std::vector<StoredPiece>& pieces, bool wants_room);
  void tell_trouble(const std::string& what) const;
  void make_list();
  void seal_list() const;
  void release_blocks();
  [[nodiscard]] DescribedPivots<F> pivots_of(NodeId node) const;
  void read_held_rows(NodeId node, Index begin, Index end, const std::function<void(Index, Index, const F*)>& write) const;
  void read_runs(const Piece& block, const RowStream& stream, std::span<std::byte> image) const;

  const AssemblyTree& tree_;
  Method method_;
  ArchiveOptions options_;
  FoundFronts found_;
  std::map<NodeId, StoredLayout> layouts_;  // of what was found
  ArchiveCounts counts_;                    // but for those of the threads
  LogRoom room_;

  // The second thread has these to itself until the threads have ended.
  CheckpointList list_;
  double last_list_seconds_ = 0;
  double list_cost_seconds_ = 0;         // of the last one
  bool has_changed_ = false;             // since the last list
  std::vector<StoredPiece> own_blocks_;  // on the disk, not released yet
  std::vector<char> is_released_;        // [node], of the blocks that were found

  std::unique_ptr<FrontLogWriter> writer_;
  std::unique_ptr<LogThreads> threads_;
};

}  // namespace frond
