// SPDX-License-Identifier: BSD-3-Clause
// Saves and loads what several ranks have factorized: rank 0 has the file, the others the factors.
#pragma once

#include <memory>
#include <string>

#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// Collective, as Factorization::save(). The factors exist.
template <Scalar S>
void save_ranks(const RankBackend<S>& system, const SavedTarget& target);

/// Collective: copies what rank 0 has read of a system to all. Throws UsageError unless the matrix on rank 0 is the one that the
/// file `path` belongs to.
template <Scalar S>
[[nodiscard]] std::shared_ptr<const Symbolic> share_system(const Communicator& ranks, const std::string& path, SavedSystem& saved,
                                                           SavedSymbolic parts, SystemMatrix<S>& matrix);

/// Collective, as Factorization::load().
template <Scalar S>
[[nodiscard]] std::unique_ptr<RankBackend<S>> load_ranks(const Communicator& ranks, const SavedSource& source,
                                                         const SystemMatrix<S>* matrix, const SolverOptions& options);

}  // namespace frond
