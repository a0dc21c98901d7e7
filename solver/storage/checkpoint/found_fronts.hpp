// SPDX-License-Identifier: BSD-3-Clause
// Finds the fronts of earlier runs from which a factorization can continue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "solver/storage/checkpoint/checkpoint_list.hpp"
#include "solver/storage/checkpoint/front_log.hpp"
#include "solver/storage/checkpoint/stored_front.hpp"

namespace frond {

/// Reads the logs that the last list names. A front may exist in several versions, of runs that executed it; the valid one is the
/// last version that was made from the valid versions of its children. Among these it finds the fronts from which a factorization
/// can continue: resumable_fronts().
class FoundFronts {
 public:
  /// A piece in one of the logs.
  struct Piece {
    const FrontLogReader* log = nullptr;  ///< null: no piece
    const StoredPiece* piece = nullptr;
  };

  /// The tree must outlive it. Throws InputError for damaged logs, or another key.
  FoundFronts(const AssemblyTree& tree, const std::string& directory, std::uint64_t key);

  [[nodiscard]] const CheckpointList& list() const { return list_; }            ///< run 0: there was none
  [[nodiscard]] const std::vector<ListedLog>& logs() const { return closed_; }  ///< as far as they were read

  [[nodiscard]] const std::vector<char>& nodes() const { return found_; }  ///< [node] = 1: found
  [[nodiscard]] bool has(NodeId node) const { return found_[node] != 0; }
  [[nodiscard]] Index num_fronts() const { return static_cast<Index>(std::count(found_.begin(), found_.end(), 1)); }
  [[nodiscard]] Count num_bytes() const;                                       ///< of the entries of the found fronts
  [[nodiscard]] Index num_lost() const { return num_stored_ - num_fronts(); }  ///< stored ones of no use

  /// What a run has stored of a front that it executed. Separate pieces of rows cover all contribution rows, in their order.
  struct Version {
    Index run = 0;
    DescribedFront described;
    Piece factor;
    std::vector<Piece> factor_rows;
    Piece block;
    std::vector<Piece> block_rows;

    [[nodiscard]] std::vector<Piece> block_pieces() const;  ///< those that there are
  };

  [[nodiscard]] const Version& version(NodeId node) const { return valid_.at(node); }  ///< of a found front
  /// Whether the block will be read.
  [[nodiscard]] bool needs_block(NodeId node) const;

 private:
  void read_logs();
  [[nodiscard]] std::vector<std::map<Index, Version>> all_versions() const;
  [[nodiscard]] bool has_whole_factor(NodeId node, Version& version) const;
  [[nodiscard]] static bool has_whole_block(Version& version);
  void choose_versions();

  const AssemblyTree& tree_;
  std::string directory_;
  CheckpointList list_;
  std::vector<ListedLog> closed_;
  std::vector<std::unique_ptr<FrontLogReader>> logs_;  // as in closed_
  std::map<NodeId, Version> valid_;                    // the valid ones
  std::vector<char> found_;                            // [node]
  Index num_stored_ = 0;
};

}  // namespace frond
