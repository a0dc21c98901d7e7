// SPDX-License-Identifier: BSD-3-Clause
// Supports tests that every rank of an MPI program runs. The first failure on any rank ends the program on all.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond::test {

/// Returns the gate of this process, which all users of MPI in it must share.
[[nodiscard]] std::shared_ptr<MpiGate> mpi_gate();

/// Adds the ranks' vectors element by element. Calls `meanwhile`, outside the gate, until all ranks are there; sleeps in between.
[[nodiscard]] std::vector<Count> sum_over_ranks(const Communicator& communicator, const std::vector<Count>& mine,
                                                const std::function<void()>& meanwhile);

}  // namespace frond::test
