// SPDX-License-Identifier: BSD-3-Clause
// Lists the scalars for typed tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

namespace frond::test {

#ifdef FROND_SCALARS_ON_RANKS
using Scalars = ::testing::Types<FROND_SCALARS_ON_RANKS>;
#else
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double> >;
#endif

}  // namespace frond::test
