// SPDX-License-Identifier: BSD-3-Clause
// Tests that every rank of an MPI program runs. The first failure on any rank ends the program on all.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frond/types.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond::test {

/// The gate of this process, as every user of MPI in it must share it.
[[nodiscard]] std::shared_ptr<MpiGate> mpi_gate();

/// Adds what all ranks pass, element by element. Calls `meanwhile`, outside the gate, until all ranks are there; sleeps in between.
[[nodiscard]] std::vector<Count> sum_over_ranks(const Communicator& communicator, const std::vector<Count>& mine,
                                                const std::function<void()>& meanwhile);

}  // namespace frond::test
