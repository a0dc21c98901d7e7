// SPDX-License-Identifier: BSD-3-Clause
// Calls METIS_NodeND and does what it needs to be safe: index width, dense rows, one call at a time.
#include "analysis/ordering/metis_ordering.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <limits>
#include <mutex>

#include "analysis/graph/level_graph.hpp"
#include "analysis/graph/vertex_classes.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

/// METIS_NodeND with a fixed seed; METIS's own compression is off, since the graph is compressed already.
std::vector<idx_t> dissect(const LevelGraph& graph) {
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<idx_t> neighbors(graph.neighbors.begin(), graph.neighbors.end());
  std::vector<idx_t> weights(graph.weights.begin(), graph.weights.end());
  idx_t num_vertices = graph.num_vertices();
  std::vector<idx_t> perm(graph.weights.size());
  std::vector<idx_t> inverse_perm(graph.weights.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_COMPRESS] = 0;
  static std::mutex one_call_at_a_time;
  const std::lock_guard lock(one_call_at_a_time);
  const int status =
      METIS_NodeND(&num_vertices, offsets.data(), neighbors.data(), weights.data(), options, perm.data(), inverse_perm.data());
  if (status == METIS_ERROR_MEMORY) {
    throw MemoryError(
        fmt::format("METIS ran out of memory while ordering a graph of {} vertices and {} edges; try the ordering dissection.",
                    num_vertices, neighbors.size() / 2),
        0, 0);
  }
  if (status != METIS_OK) {
    throw InternalError(
        fmt::format("METIS_NodeND returned {}; it also does so when the process receives SIGTERM meanwhile.", status));
  }
  return perm;
}

}  // namespace

void check_metis_width(Count num_vertices, Count num_neighbors) {
  constexpr Count kLargest = std::numeric_limits<idx_t>::max();
  if (num_vertices >= kLargest || num_neighbors > kLargest) {
    throw UsageError(fmt::format(
        "METIS, built with {}-bit indices, counts up to {}; the graph has {} vertices and {} neighbours. Use the ordering "
        "dissection, or a METIS with 64-bit indices.",
        8 * sizeof(idx_t), kLargest, num_vertices, num_neighbors));
  }
}

std::vector<Index> metis_ordering(const Graph& graph) {
  check_metis_width(graph.num_vertices(), static_cast<Count>(graph.neighbors.size()));
  const VertexClasses classes = classify(graph);
  std::vector<Index> perm = classes.isolated;
  perm.reserve(graph.num_vertices());
  if (!classes.connected.empty()) {
    for (const idx_t k : dissect(induced_subgraph(graph, classes.connected))) perm.push_back(classes.connected[k]);
  }
  perm.insert(perm.end(), classes.dense.begin(), classes.dense.end());
  return perm;
}

}  // namespace frond
