// SPDX-License-Identifier: BSD-3-Clause
// What the stages of a run know of a system once it is analysed.
#pragma once

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "frond/options.hpp"

namespace frond {

/// What is referred to outlives it.
struct SystemFacts {
  const Symbolic& symbolic;
  Method method;
  const SolverOptions& options;
  MappingOptions mapping;
};

}  // namespace frond
