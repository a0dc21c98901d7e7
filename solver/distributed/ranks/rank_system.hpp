// SPDX-License-Identifier: BSD-3-Clause
// A factorized system as one of its ranks knows it.
#pragma once

#include <span>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/distributed/rank_factors.hpp"

namespace frond {

/// Everything but the factors is the same on all ranks. The referenced objects are owned elsewhere.
template <Scalar S>
struct RankSystem {
  const Symbolic& symbolic;
  const Mapping& mapping;
  Method method;
  const RankFactors<S>& factors;
  std::span<const RealOf<S>> row_scaling;  ///< as in Factors
  std::span<const RealOf<S>> col_scaling;
};

}  // namespace frond
