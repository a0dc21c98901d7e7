// SPDX-License-Identifier: BSD-3-Clause
// Tests the guard of OpenBLAS's number of threads: one inside, the previous number outside.
#include "factorization/kernels/blas_threads.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace frond::test {
namespace {

TEST(BlasThreadsGuard, LastOneRestoresWhatTheFirstOneFound) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  std::optional<BlasThreadsGuard> first(std::in_place);
  EXPECT_EQ(openblas_get_num_threads(), 1);
  std::optional<BlasThreadsGuard> second(std::in_place);
  first.reset();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  second.reset();
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(before);
}

TEST(BlasCoreName, IsNotEmpty) { EXPECT_FALSE(blas_core_name().empty()); }

}  // namespace
}  // namespace frond::test
