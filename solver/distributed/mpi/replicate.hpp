// SPDX-License-Identifier: BSD-3-Clause
// One matrix on all ranks, from wherever it is.
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

/// Collective: the matrix that rank 0 passes, on every rank; the others pass null. Throws UsageError on all when rank 0 passes
/// null.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> replicate(const Communicator& ranks, const MatrixView<S>* matrix);

/// Collective: the lists of all ranks one behind the other, on rank 0; nothing elsewhere.
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

/// Collective: the matrix of all ranks' triplets together, on rank 0; nothing elsewhere. Entries of one position add up, within a
/// rank in their order, then rank after rank. Throws UsageError on all when ranks disagree on sizes or symmetry, or when an entry
/// cannot be.
template <Scalar S>
[[nodiscard]] std::optional<SparseMatrix<S>> gather_triplets(const Communicator& ranks, const Triplets<S>& mine);

}  // namespace frond
