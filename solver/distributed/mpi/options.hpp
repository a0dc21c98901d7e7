// SPDX-License-Identifier: BSD-3-Clause
// The options that count where several ranks solve.
#pragma once

#include "factorization/ranks/rank_driver.hpp"
#include "frond/options.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: the options of rank 0 where they count for all, see SolverOptions.
[[nodiscard]] SolverOptions shared_options(const Communicator& ranks, const SolverOptions& given);

/// Returns those of this rank.
[[nodiscard]] RankDriverOptions driver_options(const SolverOptions& options);

}  // namespace frond
