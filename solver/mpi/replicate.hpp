// SPDX-License-Identifier: BSD-3-Clause
// One matrix on all ranks, from wherever it is.
#pragma once

#include <optional>

#include "frond/matrix.hpp"
#include "loadinfo/ranks/communicator.hpp"

namespace frond {

/// Collective: the matrix that rank 0 passes, on every rank; the others pass null. Throws UsageError on all when rank 0 passes
/// null.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> replicate(const Communicator& ranks, const MatrixView<S>* matrix);

/// Collective: the matrix of all ranks' triplets together, on rank 0; nothing elsewhere. Entries of one position add up, within a
/// rank in their order, then rank after rank. Throws UsageError on all when ranks disagree on sizes or symmetry, or when an entry
/// cannot be.
template <Scalar S>
[[nodiscard]] std::optional<SparseMatrix<S>> gather_triplets(const Communicator& ranks, const Triplets<S>& mine);

}  // namespace frond
