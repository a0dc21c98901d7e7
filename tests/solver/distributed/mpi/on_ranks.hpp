// SPDX-License-Identifier: BSD-3-Clause
// Lets tests factorize on all ranks of MPI, for a matrix that rank 0 gives.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/solver/distributed/mpi/spread_options.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::testing {

class OnRanks : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }
  [[nodiscard]] bool is_last() const { return ranks_.rank() == ranks_.num_ranks() - 1; }

  template <Scalar S>
  [[nodiscard]] std::shared_ptr<const DistributedSystem<S>> system_of(const SystemMatrix<S>& matrix,
                                                                      const SolverOptions& options = {}) const {
    return std::make_shared<const DistributedSystem<S>>(ranks_, is_first() ? &matrix : nullptr, options);
  }
  template <Scalar S>
  [[nodiscard]] Factorization<S> factorize(const SystemMatrix<S>& matrix, const SolverOptions& options = {}) const {
    return factorize_on_ranks<S>(system_of<S>(matrix, options));
  }

  void expect_same_everywhere(const std::string& text) const {
    for (const std::vector<std::byte>& other : all_gather(ranks_, std::as_bytes(std::span(text)))) {
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(other.data()), other.size()), text);
    }
  }

  Communicator ranks_ = mpi_world(test::mpi_gate());
  Place place_ = rank_place({std::shared_ptr<void>(), &ranks_});
};

}  // namespace frond::testing
