// SPDX-License-Identifier: BSD-3-Clause
// Copies one matrix to all ranks, wherever its entries are.
#pragma once

#include <optional>

#include "frond/matrix.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: copies the matrix that rank 0 passes to every rank; the others pass null. Throws UsageError on all when rank 0
/// passes null.
template <Scalar S>
[[nodiscard]] SparseMatrix<S> replicate(const Communicator& ranks, const MatrixView<S>* matrix);

/// Collective: assembles the matrix of all ranks' triplets on rank 0; returns nothing elsewhere. Entries of one position add up,
/// first within a rank in their order, then rank after rank. Throws UsageError on all when ranks disagree on sizes or symmetry, or
/// when an entry is invalid.
template <Scalar S>
[[nodiscard]] std::optional<SparseMatrix<S>> gather_triplets(const Communicator& ranks, const Triplets<S>& mine);

}  // namespace frond
