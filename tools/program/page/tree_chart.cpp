// SPDX-License-Identifier: BSD-3-Clause
// Draws trees.
#include "tools/program/page/tree_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/program/page/svg_elements.hpp"
#include "tools/program/page/tree_layout.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostNodes = 300;
constexpr double kLabelHeight = 11;

struct KindLook {
  std::string_view style;  // that of the ranks' role in such nodes
  std::string_view text;
};

constexpr std::array<KindLook, kNumTreeMarkKinds> kLooks = {{{"role-subtree", "leaf subtree, on one rank"},
                                                             {"role-sequential", "type 1: one rank"},
                                                             {"role-master", "type 2: a master and slaves"},
                                                             {"role-grid", "type 3: grid of ranks"}}};

const KindLook& look_of(TreeMarkKind kind) { return kLooks[static_cast<std::size_t>(kind)]; }

// Returns shapes of about the same area within this radius.
std::string shape(TreeMarkKind kind, double radius) {
  switch (kind) {
    case TreeMarkKind::subtree:
      return fmt::format(R"(<path d="M0 {0:.1f}L{1:.1f} {2:.1f}h{3:.1f}z"/>)", -radius, radius, 0.8 * radius, -2 * radius);
    case TreeMarkKind::type1:
      return fmt::format(R"(<circle r="{:.1f}"/>)", 0.95 * radius);
    case TreeMarkKind::type2:
      return fmt::format(R"(<path d="M{0:.1f} {0:.1f}h{1:.1f}v{1:.1f}h{2:.1f}z"/>)", -0.86 * radius, 1.72 * radius, -1.72 * radius);
    case TreeMarkKind::type3:
      break;
  }
  return fmt::format(R"(<path d="M0 {1:.1f}L{0:.1f} 0L0 {0:.1f}L{1:.1f} 0z"/>)", 1.1 * radius, -1.1 * radius);
}

std::string node_text(const PlacedNode& placed) {
  const TreeMark& node = placed.node;
  std::string text =
      fmt::format("{} {} ({}), master {}: order {}, {} fully summed, {}",
                  node.kind == TreeMarkKind::subtree ? "subtree of node" : "node", node.node, look_of(node.kind).text, node.master,
                  format_count(node.order), format_count(node.num_fully_summed), format_scaled(node.flops, "flop"));
  return placed.num_hidden > 0 ? text + fmt::format("; {} below are not drawn", placed.num_hidden) : text;
}

// Returns a curve from the bottom of the parent to the top of the child, vertical at both ends.
std::string edge(const PlacedNode& parent, const PlacedNode& child) {
  const double begin = parent.y + parent.radius;
  const double end = child.y - child.radius;
  const double middle = (begin + end) / 2;
  return fmt::format("M{0:.1f} {1:.1f}C{0:.1f} {2:.1f} {3:.1f} {2:.1f} {3:.1f} {4:.1f}", parent.x, begin, middle, child.x, end);
}

// Draws a short line downwards for the children that are not drawn.
std::string stub(const PlacedNode& placed) {
  return svg_line("stub", placed.x, placed.y + placed.radius, placed.x, placed.y + placed.radius + 8);
}

// Writes the master's rank: below a leaf, right of a node with something below it; nothing if there is no room.
std::string label(const PlacedNode& placed) {
  constexpr double kDigitWidth = 7.2;
  constexpr double kGap = 4;
  const std::string text = fmt::format("{}", placed.node.master);
  const double width = kDigitWidth * static_cast<double>(text.size());
  if (placed.num_children + placed.num_hidden == 0) {
    return width + kGap <= placed.slot_width
               ? svg_text(placed.x, placed.y + placed.radius + kLabelHeight, TextAnchor::middle, text, "master-rank")
               : "";
  }
  return placed.radius + kGap + width <= placed.slot_width / 2
             ? svg_text(placed.x + placed.radius + kGap, placed.y + kLabelHeight / 3, TextAnchor::start, text, "master-rank")
             : "";
}

std::string node_elements(const PlacedNode& placed) {
  return fmt::format("<g class=\"node {}\" transform=\"translate({:.1f} {:.1f})\">{}{}</g>\n", look_of(placed.node.kind).style,
                     placed.x, placed.y, shape(placed.node.kind, placed.radius), svg_title(node_text(placed)));
}

}  // namespace

std::string tree_chart(const std::vector<TreeMark>& tree) {
  const TreeLayout layout = lay_out_tree(tree, kMostNodes, kChartWidth);
  std::string edges;
  std::string elements;
  for (const PlacedNode& placed : layout.nodes) {
    if (placed.level > 0) {
      edges += edge(layout.nodes[placed.parent], placed);
    }
    elements += (placed.num_hidden > 0 ? stub(placed) : "") + node_elements(placed) + label(placed);
  }
  std::string chart = svg_drawing(kChartWidth, layout.height, "The upper part of the assembly tree",
                                  fmt::format("<path class=\"edge\" d=\"{}\"/>\n{}", edges, elements));
  if (layout.num_hidden > 0) {
    chart += fmt::format(
        "<p class=\"note\">The top {} levels are drawn: {} nodes. {} further nodes are not; dotted lines show where they would "
        "be.</p>\n",
        layout.nodes.back().level + 1, layout.nodes.size(), format_count(static_cast<double>(layout.num_hidden)));
  }
  return chart;
}

std::string tree_legend(const std::vector<TreeMark>& tree) {
  std::string items;
  for (std::size_t kind = 0; kind < kNumTreeMarkKinds; ++kind) {
    const auto is_of_kind = [kind](const TreeMark& node) { return node.kind == static_cast<TreeMarkKind>(kind); };
    fmt::format_to(std::back_inserter(items),
                   "<span><svg class=\"key {}\" viewBox=\"-8 -8 16 16\" width=\"16\" height=\"16\">{}</svg> {} <b>{}</b></span>\n",
                   kLooks[kind].style, shape(static_cast<TreeMarkKind>(kind), 7), kLooks[kind].text,
                   format_count(static_cast<double>(std::count_if(tree.begin(), tree.end(), is_of_kind))));
  }
  return "<p class=\"legend\">" + items + "</p>\n";
}

std::string tree_section(std::string_view heading, const std::vector<TreeMark>& tree) {
  return section(
      "tree", heading,
      "Work flows upwards to the root. Marks grow with the cube root of the flops, as orders of fronts do; numbers are the "
      "ranks of masters.",
      tree_legend(tree) + wide_chart(tree_chart(tree)));
}

}  // namespace frond
