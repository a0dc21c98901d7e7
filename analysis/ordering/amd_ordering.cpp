// SPDX-License-Identifier: BSD-3-Clause
// Calls amd_2, which takes the symmetric graph as it is.
#include "analysis/ordering/amd_ordering.hpp"

#include <amd.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/graph/dense_degree.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

// Elbow room of a fifth, as AMD's own driver grants.
Count workspace_size(const Graph& graph) {
  const Count num_neighbors = static_cast<Count>(graph.neighbors.size());
  return num_neighbors + num_neighbors / 5 + graph.num_vertices();
}

}  // namespace

bool fits_amd(const Graph& graph) { return workspace_size(graph) <= std::numeric_limits<int>::max(); }

std::vector<Index> amd_ordering(const Graph& graph) {
  const Index n = graph.num_vertices();
  if (n == 0) return {};
  const Count num_neighbors = static_cast<Count>(graph.neighbors.size());
  const Count workspace = workspace_size(graph);
  if (!fits_amd(graph)) {
    throw UsageError(
        fmt::format("AMD counts up to {}; the graph of {} vertices and {} neighbours needs {}. Use the ordering dissection.",
                    std::numeric_limits<int>::max(), n, num_neighbors, workspace));
  }
  double control[AMD_CONTROL];
  amd_defaults(control);
  control[AMD_DENSE] = dense_degree(graph) / std::sqrt(static_cast<double>(n));
  double info[AMD_INFO];

  std::vector<int> begin(graph.offsets.begin(), graph.offsets.end() - 1);
  std::vector<int> lists(workspace);
  std::copy(graph.neighbors.begin(), graph.neighbors.end(), lists.begin());
  std::vector<int> lengths(n);
  for (Index vertex = 0; vertex < n; ++vertex) lengths[vertex] = graph.degree(vertex);
  std::vector<int> supervariable_sizes(n);
  std::vector<int> inverse_perm(n);
  std::vector<int> perm(n);
  std::vector<int> head(n);
  std::vector<int> element_lengths(n);
  std::vector<int> degrees(n);
  std::vector<int> marks(n);
  amd_2(n, begin.data(), lists.data(), lengths.data(), static_cast<int>(workspace), static_cast<int>(num_neighbors),
        supervariable_sizes.data(), inverse_perm.data(), perm.data(), head.data(), element_lengths.data(), degrees.data(),
        marks.data(), control, info);
  return perm;
}

}  // namespace frond
