// SPDX-License-Identifier: BSD-3-Clause
// The factors of one process, put together from those of several ranks.
#pragma once

#include <memory>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/factors.hpp"

namespace frond::test {

/// Checks that the solvers of a root on a grid, which must be those of one process, solve with what is there; that the shares of
/// row-distributed fronts cover them and that the ranks named there hold them, and that nobody holds anything else. Fronts of one
/// rank are not copied: the result lives as long as `ranks`.
template <Scalar S>
[[nodiscard]] Factors<S> gathered_factors(const std::shared_ptr<const Symbolic>& symbolic, Method method, const Mapping& mapping,
                                          const std::vector<RankFactors<S>>& ranks);

}  // namespace frond::test
