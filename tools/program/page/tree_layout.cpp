// SPDX-License-Identifier: BSD-3-Clause
// Chooses nodes from the roots downwards, adds up widths upwards and distributes them downwards.
#include "tools/program/page/tree_layout.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace frond {
namespace {

constexpr std::size_t kMostLevels = 40;  // a chain of nodes may be as long as the tree
constexpr std::size_t kNotDrawn = static_cast<std::size_t>(-1);

// A node of the current level: its position in the tree, and that of its parent in the layout, or kNotDrawn.
struct Candidate {
  std::size_t node;
  std::size_t parent;
};

// children[k] = positions in `tree` of the children of tree[k]; the last entry lists the roots.
std::vector<std::vector<std::size_t>> children_of(const std::vector<TreeMark>& tree) {
  std::unordered_map<long, std::size_t> positions;
  for (std::size_t k = 0; k < tree.size(); ++k) {
    positions[tree[k].node] = k;
  }
  std::vector<std::vector<std::size_t>> children(tree.size() + 1);
  for (std::size_t k = 0; k < tree.size(); ++k) {
    const auto parent = positions.find(tree[k].parent);
    children[parent == positions.end() ? tree.size() : parent->second].push_back(k);
  }
  return children;
}

// draws[k] = true if the k-th candidate is one of the `room` with the most flops among children of drawn nodes.
std::vector<bool> choose_costliest(const std::vector<TreeMark>& tree, const std::vector<Candidate>& level, bool are_roots,
                                   std::size_t room) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < level.size(); ++k) {
    if (are_roots || level[k].parent != kNotDrawn) {
      chosen.push_back(k);
    }
  }
  const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(std::min(room, chosen.size()));
  std::partial_sort(chosen.begin(), end, chosen.end(), [&](std::size_t left, std::size_t right) {
    const double difference = tree[level[left].node].flops - tree[level[right].node].flops;
    return difference > 0 || (difference == 0 && left < right);
  });
  std::vector<bool> draws(level.size(), false);
  std::for_each(chosen.begin(), end, [&](std::size_t k) { draws[k] = true; });
  return draws;
}

// Adds the drawn nodes of a level; returns the next level.
std::vector<Candidate> add_level(const std::vector<TreeMark>& tree, const std::vector<std::vector<std::size_t>>& children,
                                 const std::vector<Candidate>& level, const std::vector<bool>& draws, std::size_t depth,
                                 TreeLayout& layout) {
  std::vector<Candidate> next;
  for (std::size_t k = 0; k < level.size(); ++k) {
    const auto [node, parent] = level[k];
    const std::size_t position = draws[k] ? layout.nodes.size() : kNotDrawn;
    if (parent != kNotDrawn) {
      ++(draws[k] ? layout.nodes[parent].num_children : layout.nodes[parent].num_hidden);
    }
    if (draws[k]) {
      layout.nodes.push_back({tree[node], parent == kNotDrawn ? position : parent, depth});
    } else {
      ++layout.num_hidden;
    }
    if (tree[node].kind != TreeMarkKind::subtree) {
      for (const std::size_t child : children[node]) {
        next.push_back({child, position});
      }
    }
  }
  return next;
}

TreeLayout choose_nodes(const std::vector<TreeMark>& tree, std::size_t most) {
  const std::vector<std::vector<std::size_t>> children = children_of(tree);
  std::vector<Candidate> level;
  for (const std::size_t root : children.back()) {
    level.push_back({root, kNotDrawn});
  }
  TreeLayout layout;
  for (std::size_t depth = 0; !level.empty(); ++depth) {
    const std::size_t room = depth < kMostLevels ? most - layout.nodes.size() : 0;
    level = add_level(tree, children, level, choose_costliest(tree, level, depth == 0, room), depth, layout);
  }
  return layout;
}

// Radii grow with the cube root of a front's elimination flops, as its order does.
void set_radii(TreeLayout& layout) {
  constexpr double kLargest = 24;
  constexpr double kLeast = 3;
  double most_flops = 0;
  for (const PlacedNode& placed : layout.nodes) {
    most_flops = std::max(most_flops, placed.node.flops);
  }
  for (PlacedNode& placed : layout.nodes) {
    placed.radius = std::max(kLeast, most_flops > 0 ? kLargest * std::cbrt(placed.node.flops / most_flops) : 0);
  }
}

// Sets the widths of slots and scales them to the drawing. Returns the width of all children of each node together, followed by
// that of all roots.
std::vector<double> set_widths(TreeLayout& layout, double width) {
  constexpr double kGap = 6;
  constexpr double kMostStretch = 2.5;  // so that a tree of three nodes is not spread to all corners
  constexpr double kLeastRadius = 1.4;
  std::vector<double> children_widths(layout.nodes.size() + 1, 0.0);
  for (std::size_t k = layout.nodes.size(); k-- > 0;) {
    PlacedNode& placed = layout.nodes[k];
    placed.slot_width = std::max(2 * placed.radius + kGap, children_widths[k]);
    children_widths[placed.parent == k ? layout.nodes.size() : placed.parent] += placed.slot_width;
  }
  const double scale = std::min(kMostStretch, width / children_widths.back());
  for (PlacedNode& placed : layout.nodes) {
    placed.slot_width *= scale;
    placed.radius = std::max(kLeastRadius, std::min(scale, 1.0) * placed.radius);
  }
  std::for_each(children_widths.begin(), children_widths.end(), [scale](double& sum) { sum *= scale; });
  return children_widths;
}

void set_columns(TreeLayout& layout, double width, const std::vector<double>& children_widths) {
  // free_begins[k] = where the slot of the next child of the k-th node begins; the last entry is for the next root
  std::vector<double> free_begins(layout.nodes.size() + 1, (width - children_widths.back()) / 2);
  for (std::size_t k = 0; k < layout.nodes.size(); ++k) {
    PlacedNode& placed = layout.nodes[k];
    double& begin = free_begins[placed.parent == k ? layout.nodes.size() : placed.parent];
    placed.x = begin + placed.slot_width / 2;
    begin += placed.slot_width;
    free_begins[k] = placed.x - children_widths[k] / 2;
  }
}

// Spaces rows as their largest nodes require.
void set_rows(TreeLayout& layout) {
  constexpr double kRoomForRows = 620;
  constexpr double kMargin = 20;  // room for a label below the last row
  std::vector<double> radii(layout.nodes.back().level + 1, 0.0);
  for (const PlacedNode& placed : layout.nodes) {
    radii[placed.level] = std::max(radii[placed.level], placed.radius);
  }
  const double gap = std::clamp(kRoomForRows / static_cast<double>(radii.size()), 18.0, 44.0);
  std::vector<double> rows(radii.size());
  double y = kMargin / 2;
  for (std::size_t level = 0; level < radii.size(); ++level) {
    rows[level] = y + radii[level];
    y += 2 * radii[level] + gap;
  }
  for (PlacedNode& placed : layout.nodes) {
    placed.y = rows[placed.level];
  }
  layout.height = y - gap + kMargin;
}

}  // namespace

TreeLayout lay_out_tree(const std::vector<TreeMark>& tree, std::size_t most, double width) {
  TreeLayout layout = choose_nodes(tree, most);
  if (!layout.nodes.empty()) {
    set_radii(layout);
    set_columns(layout, width, set_widths(layout, width));
    set_rows(layout);
  }
  return layout;
}

}  // namespace frond
