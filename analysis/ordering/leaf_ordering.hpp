// SPDX-License-Identifier: BSD-3-Clause
// Orders the small parts that nested dissection leaves by minimum degree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/graph/graph.hpp"

namespace frond {

/// Orders small sets of vertices of one graph by minimum degree, exactly: the degree of a vertex is the weight of its neighbours in
/// the graph of what is not yet eliminated, including those outside the set, which count as eliminated later (Pellegrini, Roman,
/// Amestoy 2000, "Hybridizing nested dissection and halo approximate minimum degree for efficient sparse matrix ordering",
/// Concurrency: Pract. Exper. 12). Sets of bits stand for the lists of neighbours.
class LeafOrdering {
 public:
  /// The graph must outlive this object.
  explicit LeafOrdering(const Graph& graph) : graph_(graph), number_(graph.num_vertices(), kAbsent) {}

  /// Rearranges the vertices into their order of elimination. O(k^2 w) for k vertices with w / 64 neighbours altogether.
  void order(std::span<Index> vertices);

 private:
  using Word = std::uint64_t;
  static constexpr Index kAbsent = -1;

  void number_vertices(std::span<const Index> vertices);
  void fill_rows(Index num_inside);
  void eliminate(Index pivot);
  [[nodiscard]] std::span<Word> row(Index vertex) { return {rows_.data() + vertex * num_words_, num_words_}; }
  [[nodiscard]] Count degree(Index vertex);

  const Graph& graph_;
  std::vector<Index> number_;   // of a vertex of the graph in the present set
  std::vector<Index> members_;  // the present set first, then its neighbours outside
  std::size_t num_words_ = 0;
  std::vector<Word> rows_;      // of the vertices of the set: their neighbours
  std::vector<Count> degrees_;  // of the vertices of the set
  bool has_equal_weights_ = true;
};

}  // namespace frond
