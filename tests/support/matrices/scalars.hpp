// SPDX-License-Identifier: BSD-3-Clause
// The list of scalars for typed tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

namespace frond::test {

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

}  // namespace frond::test
