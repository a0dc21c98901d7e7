// SPDX-License-Identifier: BSD-3-Clause
// Lets memory run out at a random moment on one rank: all ranks must throw the same error and be ready for the next system. For
// more trials use --gtest_filter=AllocationFailure.* --gtest_repeat=N.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <span>
#include <string>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

// A pool that refuses its n-th region.
class FailingPool final : public RegionPool {
 public:
  explicit FailingPool(int regions_left) : RegionPool(0), regions_left_(regions_left) {}

  [[nodiscard]] Region take(Count bytes) override {
    if (bytes > 0 && --regions_left_ == 0) {
      throw MemoryError("planted", bytes, 0);
    }
    return RegionPool::take(bytes);
  }

 private:
  std::atomic<int> regions_left_;
};

class AllocationFailure : public testing::OnRanks {
 protected:
  AllocationFailure() {
    std::uint32_t seed = std::random_device{}();
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(&seed, 1)));
    random_.seed(seed);
    trace_ = "seed " + std::to_string(seed);
  }

  // Distributes fronts by rows although the systems are small.
  [[nodiscard]] SolverOptions draw_options() {
    SolverOptions options;
    MappingOptions& mapping = options.analysis.mapping;
    mapping.upper_node_seconds = 0;
    mapping.layer_tolerance = 0.01;
    mapping.min_slave_rows = 8;
    mapping.min_front_flops = 1000;
    mapping.grid_order_per_side = 1 << 20;  // no grid
    const std::array<Method, 3> methods = {Method::cholesky, Method::ldlt, Method::lu};
    options.method = methods[random_() % methods.size()];
    options.factorization.num_threads = 1 + static_cast<int>(random_() % 2);
    return options;
  }

  // Factorizes, and returns the message of the MemoryError, which must be the same on all ranks; empty on success.
  [[nodiscard]] std::string error_of(const SparseMatrix<double>& matrix, const SolverOptions& options) {
    const auto system = system_of<double>(matrix, options);
    std::string text = testing::complaint_of<MemoryError>([&] { const auto factorization = factorize_on_ranks<double>(system); });
    expect_same_everywhere(text);
    return text;
  }

  std::mt19937 random_;
  std::string trace_;
};

TEST_F(AllocationFailure, OfARegionIsTheSameErrorOnAll) {
  SCOPED_TRACE(trace_);
  const SparseMatrix<double> matrix = testing::laplacian<double>(8);
  int num_failed = 0;
  for (int trial = 0; trial < 40; ++trial) {
    SolverOptions options = draw_options();
    const auto victim = static_cast<Rank>(random_() % static_cast<unsigned>(ranks_.num_ranks()));
    const int regions_left = 1 + static_cast<int>(random_() % 6);
    if (ranks_.rank() == victim) {
      options.factorization.memory = std::make_shared<FailingPool>(regions_left);
    }
    const std::string error = error_of(matrix, options);
    if (!error.empty()) {
      EXPECT_EQ(error, "rank " + std::to_string(victim) + ": planted");
      ++num_failed;
    }
  }
  EXPECT_GT(num_failed, 0);
}

TEST_F(AllocationFailure, AtALimitIsTheSameErrorOnAll) {
  SCOPED_TRACE(trace_);
  const SparseMatrix<double> matrix = testing::laplacian<double>(8);
  int num_failed = 0;
  for (int trial = 0; trial < 10; ++trial) {  // a trial takes two seconds to establish that no rank will have memory
    SolverOptions options = draw_options();
    const auto victim = static_cast<Rank>(random_() % static_cast<unsigned>(ranks_.num_ranks()));
    const Count limit = Count{1000} << (random_() % 9);  // from far too little to enough
    options.factorization.memory_limit = ranks_.rank() == victim ? limit : Count{1} << 32;
    num_failed += error_of(matrix, options).empty() ? 0 : 1;
  }
  EXPECT_GT(num_failed, 0);
}

}  // namespace
}  // namespace frond
