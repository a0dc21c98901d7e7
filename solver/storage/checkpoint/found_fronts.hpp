// SPDX-License-Identifier: BSD-3-Clause
// What earlier runs have left of a factorization, as far as another one can go on from it.
#pragma once

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

/// Reads the logs that the last list names. A front may be there in several versions, of runs that executed it; what counts is the
/// last one that was made of the versions of its children which count. Of these are found the fronts from which a factorization can
/// go on: resumable_fronts().
class FoundFronts {
 public:
  /// A piece in one of the logs.
  struct Piece {
    const FrontLogReader* log = nullptr;  ///< null: there is none
    const StoredPiece* piece = nullptr;
  };

  /// The tree outlives it. Throws InputError for what is damaged, or of another key.
  FoundFronts(const AssemblyTree& tree, const std::string& directory, std::uint64_t key);

  [[nodiscard]] const CheckpointList& list() const { return list_; }            ///< of run 0: there was none
  [[nodiscard]] const std::vector<ListedLog>& logs() const { return closed_; }  ///< as far as they were read

  [[nodiscard]] const std::vector<char>& nodes() const { return found_; }  ///< [node] = 1: it is found
  [[nodiscard]] bool has(NodeId node) const { return found_[static_cast<std::size_t>(node)] != 0; }
  [[nodiscard]] Index num_fronts() const;
  [[nodiscard]] Count num_bytes() const;                                       ///< of the entries of what is found
  [[nodiscard]] Index num_lost() const { return num_stored_ - num_fronts(); }  ///< of which there is something, for nothing

  /// What a run has left of a front that it executed. Rows in pieces of their own cover all contribution rows, in their order.
  struct Version {
    Index run = 0;
    DescribedFront described;
    Piece factor;
    std::vector<Piece> factor_rows;
    Piece block;
    std::vector<Piece> block_rows;
  };

  [[nodiscard]] const Version& version(NodeId node) const { return valid_.at(node); }  ///< of a front that is found
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
  std::map<NodeId, Version> valid_;                    // that count
  std::vector<char> found_;                            // [node]
  Index num_stored_ = 0;
};

}  // namespace frond
