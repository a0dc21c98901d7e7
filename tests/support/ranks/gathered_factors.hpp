// SPDX-License-Identifier: BSD-3-Clause
// Assembles the factors of one process from those of several ranks.
#pragma once

#include <memory>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/factors.hpp"

namespace frond::test {

/// Checks that the solvers of a root on a grid, which must be those of one process, solve with the entries on the grid; that the
/// shares of row-distributed fronts cover them and are held by the ranks named there; and that no rank holds anything else. Fronts
/// of one rank are not copied: `ranks` must outlive the result.
template <Scalar S>
[[nodiscard]] Factors<S> gathered_factors(const std::shared_ptr<const Symbolic>& symbolic, Method method, const Mapping& mapping,
                                          const std::vector<RankFactors<S>>& ranks);

}  // namespace frond::test
