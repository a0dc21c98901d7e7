// SPDX-License-Identifier: BSD-3-Clause
// Builds and renumbers the graph of a matrix.
#include "analysis/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frond/error.hpp"

namespace frond {
namespace {

/// A pattern in compressed columns that owns its arrays.
struct Columns {
  std::vector<Count> offsets;
  LargeVector<Index> rows;
};

/// The transposed pattern; its columns are increasing whatever the order of the given ones.
Columns transpose(Index order, std::span<const Count> offsets, std::span<const Index> rows) {
  Columns result{std::vector<Count>(static_cast<std::size_t>(order) + 1, 0), LargeVector<Index>(rows.size())};
  for (const Index row : rows) ++result.offsets[row + 1];
  for (Index row = 0; row < order; ++row) result.offsets[row + 1] += result.offsets[row];
  std::vector<Count> next(result.offsets.begin(), result.offsets.end() - 1);
  for (Index column = 0; column < order; ++column) {
    for (Count e = offsets[column]; e < offsets[column + 1]; ++e) result.rows[next[rows[e]]++] = column;
  }
  return result;
}

bool columns_increase(const PatternView& pattern) {
  for (Index column = 0; column < pattern.num_cols; ++column) {
    const auto rows = pattern.row_indices.subspan(pattern.column_offsets[column],
                                                  pattern.column_offsets[column + 1] - pattern.column_offsets[column]);
    if (!std::is_sorted(rows.begin(), rows.end())) return false;
  }
  return true;
}

/// Appends an increasing list without `vertex` and without repetitions.
void append(std::span<const Index> list, Index vertex, LargeVector<Index>& neighbors) {
  Index last = vertex;
  for (const Index next : list) {
    if (next != vertex && next != last) neighbors.push_back(next);
    last = next;
  }
}

/// Appends the union of two increasing lists, without `vertex` and without repetitions. In a symmetric pattern they are equal.
void append_union(std::span<const Index> a, std::span<const Index> b, Index vertex, LargeVector<Index>& neighbors) {
  if (std::equal(a.begin(), a.end(), b.begin(), b.end())) {
    append(a, vertex, neighbors);
    return;
  }
  Index last = vertex;
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  while (in_a < a.size() || in_b < b.size()) {
    const bool from_a = in_b == b.size() || (in_a < a.size() && a[in_a] <= b[in_b]);
    const Index next = from_a ? a[in_a++] : b[in_b++];
    if (next == vertex || next == last) continue;
    neighbors.push_back(next);
    last = next;
  }
}

/// True if every column holds rows from its diagonal on, each once and increasing.
bool is_lower_triangle(const PatternView& pattern) {
  for (Index column = 0; column < pattern.num_cols; ++column) {
    Index last = column - 1;
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      if (pattern.row_indices[e] <= last) return false;
      last = pattern.row_indices[e];
    }
  }
  return true;
}

/// The graph of a lower triangle. Each entry below the diagonal goes to both its vertices; column by column, a vertex meets first
/// those before it and then, in its own column, those behind it, so that its list increases.
Graph graph_of_triangle(const PatternView& pattern) {
  const Index order = pattern.num_cols;
  const auto for_each_edge = [&](auto&& use) {
    for (Index column = 0; column < order; ++column) {
      for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
        if (pattern.row_indices[e] != column) use(pattern.row_indices[e], column);
      }
    }
  };
  Graph graph;
  graph.weights.assign(order, 1);
  graph.offsets.assign(static_cast<std::size_t>(order) + 1, 0);
  for_each_edge([&](Index row, Index column) {
    ++graph.offsets[row + 1];
    ++graph.offsets[column + 1];
  });
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.neighbors.resize(graph.offsets[order]);
  std::vector<Count> next(graph.offsets.begin(), graph.offsets.end() - 1);
  for_each_edge([&](Index row, Index column) {
    graph.neighbors[next[row]++] = column;
    graph.neighbors[next[column]++] = row;
  });
  return graph;
}

}  // namespace

void check_pattern(const PatternView& pattern) {
  if (pattern.num_rows != pattern.num_cols) {
    throw UsageError(fmt::format("the matrix has {} rows and {} columns; only square matrices can be factorized", pattern.num_rows,
                                 pattern.num_cols));
  }
  const Index order = pattern.num_cols;
  if (order < 0) throw UsageError(fmt::format("the matrix has the order {}; orders are not negative", order));
  const auto offsets = pattern.column_offsets;
  if (offsets.size() != static_cast<std::size_t>(order) + 1) {
    throw UsageError(
        fmt::format("a pattern of {} columns needs {} column offsets, not {}", order, Count{order} + 1, offsets.size()));
  }
  if (offsets[0] != 0) throw UsageError(fmt::format("the column offsets start with {} instead of 0", offsets[0]));
  for (Index column = 0; column < order; ++column) {
    if (offsets[column + 1] < offsets[column]) {
      throw UsageError(fmt::format("the column offsets decrease from {} to {} at column {} (columns count from 0)", offsets[column],
                                   offsets[column + 1], column));
    }
  }
  if (static_cast<Count>(pattern.row_indices.size()) != offsets[order]) {
    throw UsageError(
        fmt::format("the column offsets end with {}, but there are {} row indices", offsets[order], pattern.row_indices.size()));
  }
  for (Index column = 0; column < order; ++column) {
    for (Count e = offsets[column]; e < offsets[column + 1]; ++e) {
      const Index row = pattern.row_indices[e];
      if (row < 0 || row >= order) {
        throw UsageError(fmt::format("row index {} in column {} is outside 0..{} (rows and columns count from 0)", row, column,
                                     Count{order} - 1));
      }
    }
  }
}

Graph adjacency_graph(const PatternView& pattern) {
  if (is_lower_triangle(pattern)) return graph_of_triangle(pattern);
  const Index order = pattern.num_cols;
  const Columns by_row = transpose(order, pattern.column_offsets, pattern.row_indices);
  Columns sorted;
  std::span<const Count> column_offsets = pattern.column_offsets;
  std::span<const Index> row_indices = pattern.row_indices;
  if (!columns_increase(pattern)) {
    sorted = transpose(order, by_row.offsets, by_row.rows);
    column_offsets = sorted.offsets;
    row_indices = sorted.rows;
  }

  Graph graph;
  graph.weights.assign(order, 1);
  graph.offsets.resize(static_cast<std::size_t>(order) + 1);
  graph.neighbors.reserve(2 * row_indices.size());
  for (Index vertex = 0; vertex < order; ++vertex) {
    const auto list_of = [vertex](std::span<const Count> offsets, std::span<const Index> entries) {
      return entries.subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
    };
    append_union(list_of(column_offsets, row_indices), list_of(by_row.offsets, by_row.rows), vertex, graph.neighbors);
    graph.offsets[vertex + 1] = static_cast<Count>(graph.neighbors.size());
  }
  return graph;
}

Graph renumber(const Graph& graph, const Permutation& order) {
  const Index num_vertices = graph.num_vertices();
  Graph result;
  result.offsets.resize(graph.offsets.size());
  result.weights.resize(num_vertices);
  result.neighbors.resize(graph.neighbors.size());
  Count end = 0;
  for (Index vertex = 0; vertex < num_vertices; ++vertex) {
    const Index old_vertex = order.perm[vertex];
    result.weights[vertex] = graph.weights[old_vertex];
    for (const Index neighbor : graph.neighbors_of(old_vertex)) result.neighbors[end++] = order.inverse_perm[neighbor];
    result.offsets[vertex + 1] = end;
  }
  return result;
}

}  // namespace frond
