// SPDX-License-Identifier: BSD-3-Clause
// The factors of one process, cut into those of several ranks.
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

/// Every front goes to its master. The contribution rows of a front are, with the probability `share_probability`, distributed over
/// one or more ranks, the master perhaps among them. What means nothing is NaN. The factors must outlive the result.
template <Scalar S>
[[nodiscard]] CutFactors<S> cut_factors(const Factors<S>& factors, const Mapping& mapping, double share_probability,
                                        std::mt19937& random);

}  // namespace frond::testing
