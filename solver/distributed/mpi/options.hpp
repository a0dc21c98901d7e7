// SPDX-License-Identifier: BSD-3-Clause
// Determines the options in effect when several ranks solve.
#pragma once

#include "frond/options.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: replaces options by rank 0's where these count for all, see SolverOptions.
[[nodiscard]] SolverOptions shared_options(const Communicator& ranks, const SolverOptions& given);

}  // namespace frond
