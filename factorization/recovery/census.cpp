// SPDX-License-Identifier: BSD-3-Clause
// Sweeps down the tree for inputs, and up for other bits, until nothing is added.
#include "factorization/recovery/census.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "analysis/graph/forest.hpp"

namespace frond {
namespace {

class Sweeps {
 public:
  Sweeps(const AssemblyTree& tree, std::span<const FrontCensus> census)
      : tree_(tree), census_(census), is_executed_(census.size(), 0), has_other_bits_(census.size(), 0) {
    std::transform(census.begin(), census.end(), is_executed_.begin(),
                   [](const FrontCensus& front) { return front.stage == FrontStage::lost ? 1 : 0; });
  }

  // Applies rule (b), parents first. Returns whether anything was added.
  bool sweep_down() {
    bool has_grown = false;
    for (NodeId node = tree_.num_nodes() - 1; node >= 0; --node) {
      const FrontCensus& front = of(node);
      const NodeId parent = tree_.parent(node);
      if (parent == kNoParent || front.stage != FrontStage::whole || front.has_block) {
        continue;
      }
      const bool is_needed = is_executed(parent) || (of(parent).stage == FrontStage::under_way && !front.is_consumed);
      has_grown |= is_needed && add(node);
    }
    return has_grown;
  }

  // Applies rule (c), children first. Returns whether anything was added.
  bool sweep_up() {
    bool has_grown = false;
    for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
      const bool is_made = is_executed(node) || of(node).stage == FrontStage::under_way;
      char& has_other_bits = has_other_bits_[static_cast<std::size_t>(node)];
      has_other_bits = is_made && (!of(node).is_reproducible || (is_executed(node) && has_child_with_other_bits(node))) ? 1 : 0;
      const NodeId parent = tree_.parent(node);
      if (has_other_bits != 0 && parent != kNoParent && of(parent).stage != FrontStage::lost) {
        has_grown |= add(parent);
      }
    }
    return has_grown;
  }

  [[nodiscard]] std::vector<char> take() { return std::move(is_executed_); }

 private:
  [[nodiscard]] const FrontCensus& of(NodeId node) const { return census_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] bool is_executed(NodeId node) const { return is_executed_[static_cast<std::size_t>(node)] != 0; }
  [[nodiscard]] bool has_child_with_other_bits(NodeId node) const {
    const std::span<const NodeId> children = tree_.children(node);
    return std::any_of(children.begin(), children.end(),
                       [this](NodeId child) { return has_other_bits_[static_cast<std::size_t>(child)] != 0; });
  }
  bool add(NodeId node) {
    char& is_in = is_executed_[static_cast<std::size_t>(node)];
    return std::exchange(is_in, 1) == 0;
  }

  const AssemblyTree& tree_;
  std::span<const FrontCensus> census_;
  std::vector<char> is_executed_;
  std::vector<char> has_other_bits_;
};

}  // namespace

std::vector<char> fronts_to_execute(const AssemblyTree& tree, std::span<const FrontCensus> census) {
  Sweeps sweeps(tree, census);
  for (bool has_grown = true; has_grown;) {
    has_grown = sweeps.sweep_down();
    has_grown |= sweeps.sweep_up();
  }
  return sweeps.take();
}

std::vector<char> resumable_fronts(const AssemblyTree& tree, const std::vector<char>& has_factor,
                                   const std::vector<char>& has_block) {
  std::vector<char> is_in = has_factor;
  const auto in = [&is_in](NodeId node) -> char& { return is_in[static_cast<std::size_t>(node)]; };
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const std::span<const NodeId> children = tree.children(node);
    if (!std::all_of(children.begin(), children.end(), [&in](NodeId child) { return in(child) != 0; })) {
      in(node) = 0;
    }
  }
  // A front without a block whose parent is out goes out, too; everything above it is out already.
  for (NodeId node = tree.num_nodes() - 1; node >= 0; --node) {
    const NodeId parent = tree.parent(node);
    if (parent != kNoParent && in(parent) == 0 && has_block[static_cast<std::size_t>(node)] == 0) {
      in(node) = 0;
    }
  }
  return is_in;
}

}  // namespace frond
