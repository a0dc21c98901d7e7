// SPDX-License-Identifier: BSD-3-Clause
// Divides memory among the ranks that share it.
#pragma once

#include "factorization/memory/memory_limit.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective. Returns this rank's share of the memory that it and other ranks may use, given that it is predicted to need
/// `predicted_bytes` and has `num_threads` threads. For a bound that ranks share, all use the value read by the lowest of them; no
/// rank returns before all have read theirs. An error on one rank is thrown on all.
[[nodiscard]] MemoryLimit share_memory(const Communicator& ranks, Count predicted_bytes, int num_threads);

}  // namespace frond
