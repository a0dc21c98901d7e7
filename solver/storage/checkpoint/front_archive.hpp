// SPDX-License-Identifier: BSD-3-Clause
// Stores the fronts of one factorization in a directory: those of earlier runs, and those that this run finishes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/front_store.hpp"
#include "frond/observer.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "solver/storage/checkpoint/checkpoint_list.hpp"
#include "solver/storage/checkpoint/found_fronts.hpp"
#include "solver/storage/checkpoint/log_threads.hpp"
#include "solver/storage/checkpoint/stored_front.hpp"

namespace frond {

/// Options that are the same for all fronts of an archive.
struct ArchiveOptions {
  std::string directory;                          ///< exists; all ranks see it
  std::uint64_t key = 0;                          ///< distinguishes this factorization from others
  double list_seconds = 600;                      ///< between lists
  const CheckpointDirectory* requests = nullptr;  ///< where others may request a list; may be null
  Observer* observer = nullptr;                   ///< may be null
  Rank rank = 0;
  const Mapping* mapping = nullptr;  ///< null: one rank
  Index min_slave_rows = 1;          ///< of fronts whose rows are redistributed

  [[nodiscard]] Rank num_ranks() const { return mapping == nullptr ? 1 : mapping->num_ranks(); }
};

/// The work of an archive in this run.
struct ArchiveCounts {
  Count num_fronts_found = 0;  ///< that need not be executed, on any rank
  double flops_found = 0;      ///< of those whose master's part this rank has read
  Count num_fronts_lost = 0;   ///< stored, but to be executed again: parts or fronts below are missing
  Index num_lists = 0;
  LogProgress log;
};

/// Each rank has one, in the same directory, by which alone they communicate here: a front is finished when the logs of all ranks
/// together have all of its parts. Rank 0 seals the lists, the last one when it finishes, however the factorization ended. Disk
/// errors during writing are not thrown: counts() reports them.
template <Scalar F>
class FrontArchive final : public FrontStore<F> {
 public:
  /// Reads the last list. Verifies the entries of blocks that will be needed, each on one rank. The tree must outlive the archive.
  /// Throws InputError for damaged data.
  FrontArchive(const AssemblyTree& tree, Method method, ArchiveOptions options);
  ~FrontArchive() override;

  // The steps that begin this run, each called when the previous one is complete on all ranks. Throw OutputError.
  void clear() const;  ///< removes what is left of a run that ended before its first list
  void open();         ///< this rank's log
  /// Called before open(): limits the unreleased entries of this rank; without a call there is no limit.
  void set_room(LogRoom room) { room_ = room; }
  void publish() { seal_list(); }  ///< writes the first list, so that a later run knows of all logs
  /// Called instead: nothing is written, and counts() says why.
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
  [[nodiscard]] Count num_bytes_found() const { return found_.num_bytes(); }  ///< of all ranks' valid entries

 private:
  using Piece = FoundFronts::Piece;

  void verify_lists() const;
  void lay_out_found();
  void verify_blocks() const;
  [[nodiscard]] std::string stem_of(Rank rank) const;
  void on_committed(const std::vector<StoredPiece>& pieces, bool wants_room);
  void report_failure(const std::string& what) const;
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
  std::map<NodeId, StoredLayout> layouts_;  // of the found fronts
  ArchiveCounts counts_;                    // except those of the threads
  LogRoom room_;

  // Used only by the second thread until the threads have ended.
  CheckpointList list_;
  double last_list_seconds_ = 0;
  double list_cost_seconds_ = 0;         // of the last one
  bool has_changed_ = false;             // since the last list
  std::vector<StoredPiece> own_blocks_;  // on the disk, not released yet
  std::vector<char> is_released_;        // [node], of the found blocks

  std::unique_ptr<FrontLogWriter> writer_;
  std::unique_ptr<LogThreads> threads_;
};

}  // namespace frond
