// SPDX-License-Identifier: BSD-3-Clause
// Analyses and factorizes on ranks.
#pragma once

#include <memory>
#include <utility>

#include "frond/factorization.hpp"
#include "frond/place.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_course.hpp"

namespace frond {

template <Scalar S>
class DistributedSystem;

/// Passed by a rank that has the matrix; null for SystemMatrix<S>().
template <Scalar S>
[[nodiscard]] const SystemMatrix<S>* given_or_null(const SystemMatrix<S>& matrix) {
  return matrix.stored.pattern.column_offsets.empty() ? nullptr : &matrix;
}

/// The system that was analysed, with copies of its matrix on all ranks.
template <Scalar S>
class PreparedSystem final : public Prepared {
 public:
  explicit PreparedSystem(std::shared_ptr<const DistributedSystem<S>> system) : system_(std::move(system)) {}
  [[nodiscard]] const std::shared_ptr<const DistributedSystem<S>>& system() const { return system_; }  ///< null once released
  void release() override { system_.reset(); }

 private:
  std::shared_ptr<const DistributedSystem<S>> system_;
};

/// The ranks of the communicator as a place.
[[nodiscard]] Place rank_place(std::shared_ptr<const Communicator> ranks);

/// Throws UsageError if the place is one process that has no communicator.
[[nodiscard]] const Communicator& communicator_of(const Place& place);

/// Returns the course of a system that is not factorized yet.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> rank_course(std::shared_ptr<const DistributedSystem<S>> system);

/// Collective: factorizes the system.
template <Scalar S>
[[nodiscard]] Factorization<S> factorize_on_ranks(std::shared_ptr<const DistributedSystem<S>> system);

}  // namespace frond
