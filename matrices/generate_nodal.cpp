// SPDX-License-Identifier: BSD-3-Clause
// Generates the matrices of modified nodal analysis: a random circuit in one step of Newton's method in one step of time.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "matrices/model_problems.hpp"
#include "matrices/random.hpp"

namespace frond {

namespace {

constexpr Index kGround = -1;
constexpr double kMeanWireLength = 12.0;  // in nodes: most elements join neighbours of a layout

/// The equations under construction: currents into nodes, then voltages of branches with sources.
///
///   [ G  B ] [ voltages of nodes      ]    G: conductances and sources of current
///   [ C  0 ] [ currents of branches   ]    B, C: incidence of the sources of voltage
class NodalEquations {
 public:
  NodalEquations(Index num_nodes, Index num_branches, std::uint64_t seed) : random_(seed), num_nodes_(num_nodes) {
    entries_.num_rows = entries_.num_cols = num_nodes + num_branches;
  }

  /// Resistors that join every node, by others, to ground; capacitors, whose companion conductance is C / h; and diodes, whose
  /// conductance depends on their bias.
  void add_two_terminal_elements() {
    for (Index node = 0; node < num_nodes_; ++node) {
      add_conductance(node, random_.happens(0.1) ? kGround : earlier_node(node), random_.across_scales(1e-4, 1));
      if (random_.happens(0.5)) {
        add_conductance(node, random_.happens(0.5) ? kGround : earlier_node(node), random_.across_scales(1e-6, 1e-2));
      }
      if (random_.happens(0.4)) {
        add_conductance(node, earlier_node(node), random_.across_scales(1e-12, 1));
      }
    }
  }

  /// Transistors: the voltage between two nodes controls the current between two others.
  void add_controlled_currents() {
    for (Index k = 0; k < num_nodes_ / 6; ++k) {
      const Index drain = random_.below(num_nodes_);
      const Index source = earlier_node(drain);
      const Index gate = earlier_node(drain);
      const double transconductance = random_.across_scales(1e-6, 1e-2);
      for (const auto& [row, sign] : {std::pair(drain, 1.0), std::pair(source, -1.0)}) {
        add(row, gate, sign * transconductance);
        add(row, source, -sign * transconductance);
      }
    }
  }

  /// Every branch has an upper node of its own and a lower one before it, or ground: so no loop consists of sources alone. A third
  /// of them are amplifiers, controlled by the voltage of another node.
  void add_voltage_sources() {
    const std::vector<Index> uppers = random_.permutation(num_nodes_);
    for (Index branch = num_nodes_; branch < entries_.num_rows; ++branch) {
      const Index upper = uppers[branch - num_nodes_];
      const Index lower = random_.happens(0.7) ? kGround : earlier_node(upper);
      for (const auto& [node, sign] : {std::pair(upper, 1.0), std::pair(lower, -1.0)}) {
        add(node, branch, sign);
        add(branch, node, sign);
      }
      if (random_.happens(0.3)) {
        add(branch, earlier_node(upper), random_.between(0.1, 0.9));
      }
    }
  }

  [[nodiscard]] Triplets<double> take() { return std::move(entries_); }

 private:
  /// A node nearby with a lower number, or ground.
  Index earlier_node(Index node) {
    return std::max(kGround, node - 1 - static_cast<Index>(std::min(1e6, random_.exponential(kMeanWireLength))));
  }

  void add_conductance(Index node, Index other, double conductance) {
    add(node, node, conductance);
    add(other, other, conductance);
    add(node, other, -conductance);
    add(other, node, -conductance);
  }

  /// Ground has no equation and no unknown.
  void add(Index row, Index col, double value) {
    if (row != kGround && col != kGround) {
      entries_.add(row, col, value);
    }
  }

  Random random_;
  Index num_nodes_;
  Triplets<double> entries_;
};

}  // namespace

SparseMatrix<double> make_nodal_equations(Index n, std::uint64_t seed) {
  const Index num_branches = n / 8;
  NodalEquations equations(n - num_branches, num_branches, seed);
  equations.add_two_terminal_elements();
  equations.add_controlled_currents();
  equations.add_voltage_sources();
  return compress(equations.take());
}

}  // namespace frond
