// SPDX-License-Identifier: BSD-3-Clause
// Cores of their own for processes that share a machine.
#pragma once

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: processes that may use the same processors take a part each, if that is one for every thread. Left to itself, the
/// system moves processes that often sleep for a moment to each other's cores.
void bind_to_processors(const Communicator& ranks, int num_threads);

}  // namespace frond
