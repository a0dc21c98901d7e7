// SPDX-License-Identifier: BSD-3-Clause
// Calls METIS.
#include "tools/studies/adapters/metis_order.hpp"

#include <metis.h>

#include <algorithm>
#include <complex>

#include "analysis/graph/graph.hpp"
#include "tools/program/bench/adapters/peer.hpp"

namespace frond {

std::vector<Index> metis_order(const PatternView& pattern) {
  if (pattern.num_cols == 0) {
    return {};  // METIS divides by zero
  }
  const Graph graph = adjacency_graph(pattern);
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<idx_t> neighbors(graph.neighbors.begin(), graph.neighbors.end());
  idx_t num_vertices = graph.num_vertices();
  std::vector<idx_t> perm(static_cast<std::size_t>(num_vertices));
  std::vector<idx_t> inverse_perm(perm.size());
  const int code =
      METIS_NodeND(&num_vertices, offsets.data(), neighbors.data(), nullptr, nullptr, perm.data(), inverse_perm.data());
  require_success(code == METIS_OK, "METIS", code);
  return {perm.begin(), perm.end()};
}

std::vector<Index> inverse_of(const std::vector<Index>& perm) {
  std::vector<Index> inverse(perm.size());
  for (std::size_t k = 0; k < perm.size(); ++k) {
    inverse[perm[k]] = static_cast<Index>(k);
  }
  return inverse;
}

template <Scalar S>
bool has_full_diagonal(const SparseMatrix<S>& matrix) {
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const auto begin = matrix.row_indices.begin() + matrix.column_offsets[j];
    const auto end = matrix.row_indices.begin() + matrix.column_offsets[static_cast<std::size_t>(j) + 1];
    const auto diagonal = std::lower_bound(begin, end, j);
    if (diagonal == end || *diagonal != j || matrix.values[diagonal - matrix.row_indices.begin()] == S(0)) {
      return false;
    }
  }
  return true;
}

template bool has_full_diagonal(const SparseMatrix<double>&);
template bool has_full_diagonal(const SparseMatrix<std::complex<double>>&);

}  // namespace frond
