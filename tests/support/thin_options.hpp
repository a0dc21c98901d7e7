// SPDX-License-Identifier: BSD-3-Clause
// Says whether systems are factorized without fronts.
#pragma once

#include "frond/options.hpp"

namespace frond::testing {

[[nodiscard]] inline SolverOptions with_thin(Use thin) {
  SolverOptions options;
  options.factorization.thin = thin;
  return options;
}

}  // namespace frond::testing
