// SPDX-License-Identifier: BSD-3-Clause
// The fronts of one factorization in a directory: those of runs before this one, and those that this one finishes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "factorization/distributed/front_store.hpp"
#include "solver/checkpoint/checkpoint_list.hpp"
#include "solver/checkpoint/found_fronts.hpp"
#include "solver/checkpoint/log_threads.hpp"
#include "solver/checkpoint/stored_front.hpp"

namespace frond {

/// What is the same for all fronts of an archive.
struct ArchiveOptions {
  std::string directory;                  ///< is there
  std::uint64_t key = 0;                  ///< tells this factorization from others
  double list_seconds = 600;              ///< from one list to the next
  std::function<bool()> wants_list = {};  ///< asked now and then by a thread; may be empty
};

/// What an archive has done in this run.
struct ArchiveCounts {
  Count num_fronts_found = 0;  ///< that need not be executed
  double flops_found = 0;      ///< of those that were read
  Count num_fronts_lost = 0;   ///< whose factors were found, to be executed again: what is below is missing, or their block
  Index num_lists = 0;
  LogProgress log;
};

/// The last list is sealed when the archive finishes, however the factorization ended. Nothing that goes wrong with the disk while
/// it writes is thrown: counts() says what it was.
template <Scalar F>
class FrontArchive final : public FrontStore<F> {
 public:
  /// Reads the last list that there is, and begins a run of its own. Verifies the entries of blocks that will be needed. The tree
  /// outlives the archive. Throws InputError for what is damaged, and OutputError.
  FrontArchive(const AssemblyTree& tree, Method method, ArchiveOptions options);
  ~FrontArchive() override;

  [[nodiscard]] bool has(NodeId node) const override { return found_.has(node); }
  [[nodiscard]] DelayedVariables delayed(NodeId node) const override;
  [[nodiscard]] PivotCounts read_factor(NodeId node, FrontFactor<F>& front) override;
  void read_rows(const RowStream& stream, std::span<std::byte> image) const override;

  void take_factor(NodeId node, const NumericFront<F>& front, const PivotCounts& counts) override;
  void take_block(NodeId node, const NumericFront<F>& front) override;
  void let_go(NodeId node) override;
  void finish() noexcept override;

  [[nodiscard]] ArchiveCounts counts() const;

 private:
  void remove_unlisted() const;
  void verify_blocks() const;
  void begin_run();
  void on_committed(const std::vector<StoredPiece>& pieces);
  void make_list();
  void seal_list() const;
  [[nodiscard]] DescribedFactor<F> described(const StoredPiece& piece) const;
  void release_blocks();

  const AssemblyTree& tree_;
  Method method_;
  ArchiveOptions options_;
  FoundFronts found_;
  ArchiveCounts counts_;  // but for those of the threads

  // Of the second thread, until the threads have ended.
  CheckpointList list_;
  double last_list_seconds_ = 0;
  bool has_changed_ = false;      // since the last list
  std::vector<char> has_factor_;  // [node], on the disk
  std::vector<char> has_block_;
  std::map<NodeId, StoredPiece> own_blocks_;  // on the disk, not released yet
  std::vector<char> is_released_;             // [node], of the blocks that were found

  std::unique_ptr<FrontLogWriter> writer_;
  std::unique_ptr<LogThreads> threads_;
};

}  // namespace frond
