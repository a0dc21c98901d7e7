// SPDX-License-Identifier: BSD-3-Clause
// Ranks that share memory divide it.
#pragma once

#include "factorization/memory/memory_limit.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective. The share of this rank, which is predicted to need so many bytes and works on `num_threads` threads, in what it and
/// other ranks may take. Of a bound that ranks share all take the value that the lowest of them has read; no rank returns before
/// all have read theirs. What is wrong on one rank is thrown on all.
[[nodiscard]] MemoryLimit share_memory(const Communicator& ranks, Count predicted_bytes, int num_threads);

}  // namespace frond
