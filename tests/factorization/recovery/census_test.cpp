// SPDX-License-Identifier: BSD-3-Clause
// Tests from which fronts a factorization can resume, against all subsets of all small forests.
#include "factorization/recovery/census.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "analysis/graph/forest.hpp"

namespace frond {
namespace {

AssemblyTree forest_of(std::vector<NodeId> parent) {
  std::vector<Index> variable_offsets(parent.size() + 1);
  for (std::size_t node = 0; node < parent.size(); ++node) {
    variable_offsets[node + 1] = variable_offsets[node] + 1;
  }
  std::vector<Count> cb_offsets = {0};
  std::vector<Index> cb_rows;
  for (const NodeId above : parent) {
    if (above != kNoParent) {
      cb_rows.push_back(above);
    }
    cb_offsets.push_back(static_cast<Count>(cb_rows.size()));
  }
  return {std::move(parent), std::move(variable_offsets), std::move(cb_offsets), std::move(cb_rows)};
}

// Calls visit(parents) for every forest of `size` nodes that is numbered in postorder.
template <class Visit>
void for_each_forest(NodeId size, Visit visit) {
  std::vector<NodeId> parent(static_cast<std::size_t>(size), kNoParent);
  const auto at = [&parent](NodeId node) { return parent[node]; };
  const auto is_postorder = [&] {
    for (NodeId node = 0; node < size; ++node) {
      for (NodeId between = node + 1; at(node) != kNoParent && between < at(node); ++between) {
        if (at(between) == kNoParent || at(between) > at(node)) {
          return false;
        }
      }
    }
    return true;
  };
  for (;;) {
    if (is_postorder()) {
      visit(parent);
    }
    NodeId node = 0;
    for (; node < size; ++node) {
      NodeId& above = parent[node];
      above = above == kNoParent ? node + 1 : above + 1;
      if (above < size) {
        break;
      }
      above = kNoParent;
    }
    if (node == size) {
      return;
    }
  }
}

// True if each front of the set has its factor, all fronts below it, and its block, unless its parent is in the set, too.
bool is_resumable(const AssemblyTree& tree, const std::vector<char>& has_factor, const std::vector<char>& has_block, unsigned set) {
  const auto is_in = [set](NodeId node) { return (set >> static_cast<unsigned>(node) & 1U) != 0; };
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const NodeId parent = tree.parent(node);
    const auto index = static_cast<std::size_t>(node);
    if (is_in(node) && (has_factor[index] == 0 || (parent != kNoParent && !is_in(parent) && has_block[index] == 0))) {
      return false;
    }
    if (!is_in(node) && parent != kNoParent && is_in(parent)) {
      return false;
    }
  }
  return true;
}

// Bit 2 i of the code says whether front i has its factor, bit 2 i + 1 whether it has its block.
TEST(ResumableFronts, ContainAllSetsFromWhichAFactorizationCanResumeAndAreOne) {
  for (NodeId size = 1; size <= 5; ++size) {
    for_each_forest(size, [&](const std::vector<NodeId>& parent) {
      const AssemblyTree tree = forest_of(parent);
      for (unsigned code = 0; code < 1U << (2 * static_cast<unsigned>(size)); ++code) {
        std::vector<char> has_factor;
        std::vector<char> has_block;
        for (NodeId node = 0; node < size; ++node) {
          has_factor.push_back(static_cast<char>(code >> static_cast<unsigned>(2 * node) & 1U));
          has_block.push_back(static_cast<char>(code >> static_cast<unsigned>(2 * node + 1) & 1U));
        }
        const std::vector<char> resumable = resumable_fronts(tree, has_factor, has_block);
        unsigned found = 0;
        for (NodeId node = 0; node < size; ++node) {
          found |= resumable[node] != 0 ? 1U << static_cast<unsigned>(node) : 0U;
        }
        ASSERT_TRUE(is_resumable(tree, has_factor, has_block, found)) << "code " << code;
        for (unsigned set = 0; set < 1U << static_cast<unsigned>(size); ++set) {
          ASSERT_TRUE((set & ~found) == 0 || !is_resumable(tree, has_factor, has_block, set)) << "code " << code << ", set " << set;
        }
      }
    });
  }
  EXPECT_EQ(resumable_fronts(AssemblyTree(), {}, {}), std::vector<char>());
}

}  // namespace
}  // namespace frond
