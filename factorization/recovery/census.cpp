// SPDX-License-Identifier: BSD-3-Clause
// Sweeps up the tree for missing children, then down for missing blocks.
#include "factorization/recovery/census.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace frond {

std::vector<char> resumable_fronts(const AssemblyTree& tree, const std::vector<char>& has_factor,
                                   const std::vector<char>& has_block) {
  std::vector<char> is_in = has_factor;
  const auto in = [&is_in](NodeId node) -> char& { return is_in[node]; };
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const std::span<const NodeId> children = tree.children(node);
    if (!std::all_of(children.begin(), children.end(), [&in](NodeId child) { return in(child) != 0; })) {
      in(node) = 0;
    }
  }
  // A front without a block whose parent is out goes out, too; everything above it is out already.
  for (NodeId node = tree.num_nodes() - 1; node >= 0; --node) {
    const NodeId parent = tree.parent(node);
    if (parent != kNoParent && in(parent) == 0 && has_block[node] == 0) {
      in(node) = 0;
    }
  }
  return is_in;
}

}  // namespace frond
