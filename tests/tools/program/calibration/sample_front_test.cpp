// SPDX-License-Identifier: BSD-3-Clause
// Tests that sample fronts are eliminated without delays, repeatedly.
#include "tools/program/calibration/sample_front.hpp"

#include <gtest/gtest.h>

#include "factorization/fronts/front_elimination.hpp"

namespace frond {
namespace {

template <class S>
class SampleFrontOf : public ::testing::Test {};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SampleFrontOf, Scalars);

TYPED_TEST(SampleFrontOf, NeedsNoDelays) {
  const PivotTolerances<RealOf<TypeParam>> tolerances{static_cast<RealOf<TypeParam>>(0.01), 0};
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    for (const auto& [order, num_fully_summed] : {std::pair<Index, Index>{1, 1}, {4, 2}, {70, 35}, {200, 200}, {300, 140}}) {
      SampleFront<TypeParam> sample(method, order, num_fully_summed);
      for (int repetition = 0; repetition < 2; ++repetition) {
        sample.fill();
        const PivotCounts counts = eliminate_whole_front(method, sample.front(), tolerances, false);
        EXPECT_EQ(sample.front().factor.num_eliminated, num_fully_summed);
        EXPECT_TRUE(counts.null_variables.empty());
      }
    }
  }
}

TEST(SampleFront, TellsItsBytes) {
  EXPECT_EQ(SampleFront<double>::bytes(Method::lu, 10, 4), 8 * 100);
  EXPECT_EQ(SampleFront<float>::bytes(Method::cholesky, 10, 10), 4 * 100);
}

}  // namespace
}  // namespace frond
