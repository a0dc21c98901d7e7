// SPDX-License-Identifier: BSD-3-Clause
// Gives processes that share a machine cores of their own.
#pragma once

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: processes that may use the same processors take a part each, if it has a processor for every thread. Otherwise the
/// system moves processes that often sleep briefly to each other's cores.
void bind_to_processors(const Communicator& ranks, int num_threads);

}  // namespace frond
