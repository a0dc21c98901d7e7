// SPDX-License-Identifier: BSD-3-Clause
// Cuts the factors of one process into those of several ranks.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/factors.hpp"

namespace frond::testing {

template <Scalar S>
struct CutFactors {
  std::vector<RankFactors<S>> ranks;
  Index num_shared = 0;          ///< fronts whose rows were distributed
  Index num_masters_shares = 0;  ///< shares that their masters hold
  Index num_others_shares = 0;
  Index num_travelling_delays = 0;  ///< delayed variables whose parent has another master
  std::deque<std::vector<S>> memory;
};

/// Every front goes to its master. With probability `share_probability` the contribution rows of a front are distributed over one
/// or more ranks, possibly including the master. Unused entries are NaN. The factors must outlive the result.
template <Scalar S>
[[nodiscard]] CutFactors<S> cut_factors(const Factors<S>& factors, const Mapping& mapping, double share_probability,
                                        std::mt19937& random);

}  // namespace frond::testing
