// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <type_traits>

#include "frond/types.hpp"

namespace frond::test {

/// The scalar in double precision, in which references are computed.
template <Scalar S>
using Wide = std::conditional_t<kIsComplex<S>, std::complex<double>, double>;

}  // namespace frond::test
