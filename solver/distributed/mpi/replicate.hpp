// SPDX-License-Identifier: BSD-3-Clause
// Copies one matrix to all ranks, wherever its entries are.
#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "frond/matrix.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {

/// Collective: copies the matrix that rank 0 passes to every rank; the others pass null. Throws UsageError on all when rank 0
/// passes null.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> replicate(const Communicator& ranks, const MatrixView<S>* matrix);

/// Collective: concatenates the lists of all ranks on rank 0; returns nothing elsewhere.
template <class T>
[[nodiscard]] std::vector<T> gather_list(const Communicator& ranks, std::span<const T> mine) {
  const std::vector<Count> num_bytes = all_gather_values(ranks, static_cast<Count>(mine.size_bytes()));
  std::vector<T> all;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      const Count total = std::accumulate(num_bytes.begin(), num_bytes.end(), Count{0});
      all.resize(static_cast<std::size_t>(total) / sizeof(T));
    }
  });
  gather(ranks, 0, std::as_bytes(mine), num_bytes, std::as_writable_bytes(std::span(all)));
  return all;
}

/// Collective: assembles the matrix of all ranks' triplets on rank 0; returns nothing elsewhere. Entries of one position add up,
/// first within a rank in their order, then rank after rank. Throws UsageError on all when ranks disagree on sizes or symmetry, or
/// when an entry is invalid.
template <Scalar S>
[[nodiscard]] std::optional<SparseMatrix<S>> gather_triplets(const Communicator& ranks, const Triplets<S>& mine);

}  // namespace frond
