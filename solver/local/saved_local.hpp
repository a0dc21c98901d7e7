// SPDX-License-Identifier: BSD-3-Clause
// Saves and loads what one process has factorized.
#pragma once

#include <memory>

#include "solver/local/local_backend.hpp"
#include "solver/storage/saved/saved_file.hpp"

namespace frond {

/// As Factorization::save(). The factors exist.
template <Scalar S>
void save_local(const LocalBackend<S>& system, const SavedTarget& target);

/// As Factorization::load().
template <Scalar S>
[[nodiscard]] std::unique_ptr<LocalBackend<S>> load_local(const SavedSource& source, SystemMatrix<S> matrix, SolverOptions options);

}  // namespace frond
