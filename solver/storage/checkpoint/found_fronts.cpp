// SPDX-License-Identifier: BSD-3-Clause
// Determines valid versions from the leaves up.
#include "solver/storage/checkpoint/found_fronts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "analysis/graph/forest.hpp"
#include "factorization/recovery/census.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Sorts pieces of rows. Returns whether they cover all rows.
bool covers(std::vector<FoundFronts::Piece>& pieces, Index num_rows) {
  std::sort(pieces.begin(), pieces.end(),
            [](const FoundFronts::Piece& a, const FoundFronts::Piece& b) { return a.piece->rows.begin < b.piece->rows.begin; });
  Index end = 0;
  for (const FoundFronts::Piece& rows : pieces) {
    if (rows.piece->rows.begin != end) {
      return false;
    }
    end = rows.piece->rows.end;
  }
  return end == num_rows;
}

}  // namespace

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

// What was committed after the list was made is valid, too. A closed log may have been extended by a process that was not informed.
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

// [node], by runs. A run executes a front only once.
std::vector<std::map<Index, FoundFronts::Version>> FoundFronts::all_versions() const {
  std::vector<std::map<Index, Version>> versions(found_.size());
  for (std::size_t log = 0; log < logs_.size(); ++log) {
    for (const StoredPiece& piece : logs_[log]->pieces()) {
      if (piece.node < 0 || piece.node >= tree_.num_nodes()) {
        throw InputError(directory_, 0, "names a front that the analysis does not have: the checkpoint is damaged");
      }
      Version& version = versions[piece.node][closed_[log].run];
      version.run = closed_[log].run;
      const Piece found{logs_[log].get(), &piece};
      switch (piece.kind) {
        case StoredKind::factor:
          version.factor = found;
          break;
        case StoredKind::factor_rows:
          version.factor_rows.push_back(found);
          break;
        case StoredKind::block:
          version.block = found;
          break;
        case StoredKind::block_rows:
          version.block_rows.push_back(found);
          break;
      }
    }
  }
  return versions;
}

// Whether all parts exist, made from the valid versions of its children: versions that were executed again may differ in bits.
bool FoundFronts::has_whole_factor(NodeId node, Version& version) const {
  if (version.factor.log == nullptr) {
    return false;
  }
  try {
    version.described = described_front(*version.factor.piece, tree_);
    if (version.block.log != nullptr && !holds_rows(*version.block.piece, version.described)) {
      throw InternalError("a stored block has other rows than its front");
    }
  } catch (const InternalError& error) {
    throw InputError(directory_, 0, fmt::format("is damaged: {}", error.what()));
  }
  const std::span<const NodeId> children = tree_.children(node);
  const std::vector<Index>& born = version.described.born_children;
  const bool is_of_these = std::equal(children.begin(), children.end(), born.begin(), born.end(), [this](NodeId child, Index run) {
    const auto valid = valid_.find(child);
    return valid != valid_.end() && valid->second.run == run;
  });
  return is_of_these && (version.described.shares.empty() || covers(version.factor_rows, version.described.size.cb_order()));
}

bool FoundFronts::has_whole_block(Version& version) {
  const DescribedFront& described = version.described;
  if (described.shares.empty()) {
    return version.block.log != nullptr;
  }
  return (version.block.log != nullptr || described.num_delayed() == 0) && covers(version.block_rows, described.size.cb_order());
}

void FoundFronts::choose_versions() {
  std::vector<std::map<Index, Version>> versions = all_versions();
  std::vector<char> has_factor(found_.size(), 0);
  std::vector<char> has_block(found_.size(), 0);
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    num_stored_ += versions[index].empty() ? 0 : 1;
    for (auto version = versions[index].rbegin(); version != versions[index].rend() && has_factor[index] == 0; ++version) {
      if (has_whole_factor(node, version->second)) {
        has_factor[index] = 1;
        has_block[index] = has_whole_block(version->second) ? 1 : 0;
        valid_[node] = std::move(version->second);
      }
    }
  }
  found_ = resumable_fronts(tree_, has_factor, has_block);
}

std::vector<FoundFronts::Piece> FoundFronts::Version::block_pieces() const {
  std::vector<Piece> pieces = block_rows;
  if (block.log != nullptr) {
    pieces.push_back(block);
  }
  return pieces;
}

Count FoundFronts::num_bytes() const {
  Count num_bytes = 0;
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (has(node)) {
      const Version& found = version(node);
      std::vector<Piece> pieces = needs_block(node) ? found.block_pieces() : std::vector<Piece>();
      pieces.insert(pieces.end(), found.factor_rows.begin(), found.factor_rows.end());
      pieces.push_back(found.factor);
      for (const Piece& piece : pieces) {
        num_bytes += piece.piece->num_bytes;
      }
    }
  }
  return num_bytes;
}

bool FoundFronts::needs_block(NodeId node) const {
  const NodeId parent = tree_.parent(node);
  return has(node) && parent != kNoParent && !has(parent);
}

}  // namespace frond
