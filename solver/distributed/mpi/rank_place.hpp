// SPDX-License-Identifier: BSD-3-Clause
// Factorizes on ranks.
#pragma once

#include <memory>

#include "analysis/pivots/pivot_order.hpp"
#include "frond/factorization.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/course/place.hpp"

namespace frond {

template <Scalar S>
class DistributedSystem;

/// Passed by a rank that has the matrix; null for SystemMatrix<S>().
template <Scalar S>
[[nodiscard]] const SystemMatrix<S>* given_or_null(const SystemMatrix<S>& matrix) {
  return matrix.stored.pattern.column_offsets.empty() ? nullptr : &matrix;
}

/// `order` is that of the analysis, as rank 0 found it.
[[nodiscard]] std::shared_ptr<const Place> rank_place(std::shared_ptr<const Communicator> ranks, VariableOrder order);

/// Returns the course of a system that is not factorized yet.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>> system);

/// Collective: factorizes the system.
template <Scalar S>
[[nodiscard]] Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>> system);

/// Collective, as Factorization::load(); ranks other than the first may pass null.
template <Scalar S>
[[nodiscard]] Factorization<S> load_on_ranks(const Communicator& ranks, const SavedSource& source, const SystemMatrix<S>* matrix,
                                             const SolverOptions& options);

}  // namespace frond
