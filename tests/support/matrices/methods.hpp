// SPDX-License-Identifier: BSD-3-Clause
// Lists the factorization methods and the solve operations that tests loop over.
#pragma once

#include <array>

#include "frond/types.hpp"

namespace frond::test {

inline constexpr std::array kAllMethods = {Method::cholesky, Method::ldlt, Method::ldlh, Method::lu};
inline constexpr std::array kRealMethods = {Method::cholesky, Method::ldlt, Method::lu};
inline constexpr std::array kIndefiniteMethods = {Method::ldlt, Method::ldlh};
inline constexpr std::array kPivotingMethods = {Method::ldlt, Method::ldlh, Method::lu};
inline constexpr std::array kOperations = {Operation::plain, Operation::transposed, Operation::adjoint};

}  // namespace frond::test
