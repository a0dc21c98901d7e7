// SPDX-License-Identifier: BSD-3-Clause
// Lists the scalars for typed tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

namespace frond::test {

#ifdef FROND_DOUBLES_ALONE
using Scalars = ::testing::Types<double, std::complex<double>>;
#else
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
#endif

}  // namespace frond::test
