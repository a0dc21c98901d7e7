// SPDX-License-Identifier: BSD-3-Clause
// Generates a random power-law circuit: mostly local links, preferential attachment, dense rows, voltage sources.
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

/// The circuit under construction.
struct Circuit {
  Triplets<double> entries;
  std::vector<double> conductance_sums;  ///< per row
  std::vector<Index> link_ends;          ///< every node once per link: a uniform draw is preferential attachment

  /// Current into `row` driven by the voltage of `col`.
  void add_conductance(Index row, Index col, double conductance) {
    entries.add(row, col, -conductance);
    conductance_sums[static_cast<std::size_t>(row)] += conductance;
  }
};

double draw_conductance(Random& random) { return std::pow(10.0, 6.0 * random.uniform() - 3.0); }

/// Draws an earlier node for `node`: nearby, or in 0.5 % of the draws one that has many links.
Index draw_partner(Index node, Random& random, const Circuit& circuit) {
  constexpr double kLocalShare = 0.995;
  constexpr double kMeanDistance = 40.0;
  if (random.uniform() < kLocalShare || circuit.link_ends.empty()) {
    const double distance = 1.0 + std::floor(random.exponential(kMeanDistance));
    return static_cast<Index>(std::max(0.0, node - distance));
  }
  return circuit.link_ends[static_cast<std::size_t>(random.uniform() * static_cast<double>(circuit.link_ends.size()))];
}

void add_links(Index node, Random& random, Circuit& circuit) {
  constexpr double kSecondLinkShare = 0.45;
  constexpr double kOneWayShare = 0.2;
  const int num_links = random.uniform() < kSecondLinkShare ? 2 : 1;
  for (int link = 0; link < num_links; ++link) {
    const Index partner = draw_partner(node, random, circuit);
    const double conductance = draw_conductance(random);
    circuit.add_conductance(node, partner, conductance);
    if (random.uniform() >= kOneWayShare) {
      circuit.add_conductance(partner, node, conductance);
    }
    circuit.link_ends.push_back(partner);
  }
  circuit.link_ends.insert(circuit.link_ends.end(), static_cast<std::size_t>(num_links), node);
}

void add_dense_rows(Index n, Random& random, Circuit& circuit) {
  constexpr int kDenseRows = 4;
  constexpr Index kReachedShare = 20;
  for (int k = 0; k < kDenseRows; ++k) {
    const Index row = random.below(n);
    for (Index reached = 0; reached < n / kReachedShare; ++reached) {
      const Index col = random.below(n);
      if (col != row) {
        circuit.add_conductance(row, col, 1e-3 * draw_conductance(random));
      }
    }
  }
}

/// Makes every 50th node a voltage source: no diagonal entry, and a pair of ones that ties it to the next node.
void add_diagonal_and_sources(Index n, Circuit& circuit) {
  constexpr Index kSourceSpacing = 50;
  for (Index node = 0; node < n; ++node) {
    const bool is_source = node % kSourceSpacing == kSourceSpacing - 1 && node + 1 < n;
    if (is_source) {
      circuit.entries.add(node, node + 1, 1.0);
      circuit.entries.add(node + 1, node, -1.0);
    } else {
      circuit.entries.add(node, node, 1.01 * circuit.conductance_sums[static_cast<std::size_t>(node)]);
    }
  }
}

}  // namespace

SparseMatrix<double> make_circuit(Index n, std::uint64_t seed) {
  Random random(seed);
  Circuit circuit;
  circuit.entries.num_rows = n;
  circuit.entries.num_cols = n;
  circuit.conductance_sums.assign(static_cast<std::size_t>(n), 0.0);
  for (Index node = 1; node < n; ++node) {
    add_links(node, random, circuit);
  }
  add_dense_rows(n, random, circuit);
  add_diagonal_and_sources(n, circuit);
  return compress(std::move(circuit.entries));
}

}  // namespace frond
