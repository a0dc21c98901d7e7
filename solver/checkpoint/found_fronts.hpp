// SPDX-License-Identifier: BSD-3-Clause
// What earlier runs have left of a factorization, as far as another one can go on from it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "solver/checkpoint/checkpoint_list.hpp"
#include "solver/checkpoint/front_log.hpp"

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
  [[nodiscard]] Index num_lost() const { return num_stored_ - num_fronts(); }  ///< of which there is something, for nothing

  // Of a front that is found.
  [[nodiscard]] Index born(NodeId node) const { return valid_.at(node).run; }  ///< the run that has executed it
  [[nodiscard]] Piece factor(NodeId node) const { return valid_.at(node).factor; }
  [[nodiscard]] Piece block(NodeId node) const { return valid_.at(node).block; }
  /// Whether the block will be read.
  [[nodiscard]] bool needs_block(NodeId node) const;

 private:
  /// What a run has left of a front that it executed.
  struct Version {
    Index run = 0;
    Piece factor;
    Piece block;
  };

  void read_logs();
  [[nodiscard]] std::vector<std::map<Index, Version>> all_versions() const;
  [[nodiscard]] bool is_of_same_children(NodeId node, const Version& version) const;
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
