// SPDX-License-Identifier: BSD-3-Clause
// What the stages of a run know about an analysed system.
#pragma once

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "frond/options.hpp"

namespace frond {

/// The referenced objects must outlive it.
struct SystemFacts {
  const Symbolic& symbolic;
  Method method;
  const SolverOptions& options;
  MappingOptions mapping;
};

}  // namespace frond
