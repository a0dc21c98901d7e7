// SPDX-License-Identifier: BSD-3-Clause
// Versions from the leaves up.
#include "solver/checkpoint/found_fronts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "analysis/graph/forest.hpp"
#include "factorization/recovery/census.hpp"
#include "frond/error.hpp"
#include "solver/checkpoint/stored_front.hpp"

namespace frond {

FoundFronts::FoundFronts(const AssemblyTree& tree, const std::string& directory, std::uint64_t key)
    : tree_(tree), directory_(directory), found_(static_cast<std::size_t>(tree.num_nodes()), 0) {
  if (const std::optional<CheckpointList> last = last_list(directory_)) {
    if (last->key != key) {
      throw InputError(directory_, 0, "holds the fronts of another factorization: files of two checkpoints are mixed up");
    }
    list_ = *last;
  }
  list_.key = key;
  read_logs();
  choose_versions();
}

// What was committed after the list was made is as good. A log that was closed may have grown by a process that did not know.
void FoundFronts::read_logs() {
  for (const ListedLog& listed : list_.logs) {
    const std::string stem = directory_ + "/" + listed.stem;
    logs_.push_back(std::make_unique<FrontLogReader>(stem, list_.key, listed.is_open ? -1 : listed.num_index_bytes));
    if (logs_.back()->num_index_bytes() < listed.num_index_bytes) {
      throw InputError(stem + ".index", 0,
                       fmt::format("is damaged at byte {}, though {} bytes of it were complete", logs_.back()->num_index_bytes(),
                                   listed.num_index_bytes));
    }
    closed_.push_back({listed.stem, listed.run, logs_.back()->num_index_bytes(), false});
  }
}

// [node], by runs. A front is executed once in a run.
std::vector<std::map<Index, FoundFronts::Version>> FoundFronts::all_versions() const {
  std::vector<std::map<Index, Version>> versions(found_.size());
  for (std::size_t log = 0; log < logs_.size(); ++log) {
    for (const StoredPiece& piece : logs_[log]->pieces()) {
      if (piece.node < 0 || piece.node >= tree_.num_nodes()) {
        throw InputError(directory_, 0, "names a front that the analysis does not have: the checkpoint is damaged");
      }
      Version& version = versions[static_cast<std::size_t>(piece.node)][closed_[log].run];
      version.run = closed_[log].run;
      (piece.kind == StoredKind::factor ? version.factor : version.block) = Piece{logs_[log].get(), &piece};
    }
  }
  return versions;
}

// Children that were executed again since may have come out with other bits.
bool FoundFronts::is_of_same_children(NodeId node, const Version& version) const {
  const std::span<const NodeId> children = tree_.children(node);
  const std::vector<Index> born = born_children(*version.factor.piece);
  return std::equal(children.begin(), children.end(), born.begin(), born.end(), [this](NodeId child, Index run) {
    const auto valid = valid_.find(child);
    return valid != valid_.end() && valid->second.run == run;
  });
}

void FoundFronts::choose_versions() {
  const std::vector<std::map<Index, Version>> versions = all_versions();
  std::vector<char> has_factor(found_.size(), 0);
  std::vector<char> has_block(found_.size(), 0);
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    num_stored_ += versions[index].empty() ? 0 : 1;
    for (auto version = versions[index].rbegin(); version != versions[index].rend() && has_factor[index] == 0; ++version) {
      if (version->second.factor.log != nullptr && is_of_same_children(node, version->second)) {
        valid_[node] = version->second;
        has_factor[index] = 1;
        has_block[index] = version->second.block.log != nullptr ? 1 : 0;
      }
    }
  }
  found_ = resumable_fronts(tree_, has_factor, has_block);
}

Index FoundFronts::num_fronts() const { return static_cast<Index>(std::count(found_.begin(), found_.end(), 1)); }

bool FoundFronts::needs_block(NodeId node) const {
  const NodeId parent = tree_.parent(node);
  return has(node) && parent != kNoParent && !has(parent);
}

}  // namespace frond
