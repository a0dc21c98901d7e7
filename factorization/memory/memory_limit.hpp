// SPDX-License-Identifier: BSD-3-Clause
// Determines how much memory a factorization may take if the user sets no limit: what is available, less what is kept free for
// everything else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"

namespace frond {

/// A limit for factors and active memory together.
struct MemoryLimit {
  Count bytes = 0;       ///< 0: no limit
  std::string reason{};  ///< what sets it, as the subject of a sentence; empty: the user

  /// The beginning of messages, before the number: "the limit is", "the control group /a/b (memory.max, 300 MiB kept free) leaves
  /// only".
  [[nodiscard]] std::string whose() const { return reason.empty() ? "the limit is" : reason + " leaves only"; }
};

/// The contribution of one of several processes to the division of memory that they share.
struct MemoryClaim {
  Count predicted_bytes = 0;  ///< for factors and active memory
  Count other_resident = 0;   ///< that it may use in addition
  Count other_mapped = 0;     ///< that it will map in addition
  std::vector<MemoryBound> bounds{};
};

/// Returns the present claim of this process, for a factorization by `num_threads` threads, alone or with other processes.
[[nodiscard]] MemoryClaim claim_memory(Count predicted_bytes, int num_threads, bool has_partners);

/// Returns the smallest share of process `mine` in its bounds. Each bound keeps free what its processes will map in addition to
/// their factorizations, where that counts against it, and of the rest some fraction plus what they may use in addition, but never
/// more than half of that rest. The remainder is divided in proportion to the predicted bytes, but each process gets at least
/// kLeastShareBytes, or an equal part if there is not that much. For a bound that processes share, the value counts that the first
/// of them has read.
[[nodiscard]] MemoryLimit share_memory(std::span<const MemoryClaim> claims, std::size_t mine);

/// Returns the present limit of a process alone: with fewer threads if there is no room to map what all of them need.
[[nodiscard]] MemoryLimit find_memory_limit(int num_threads);

/// Enough for the messages of a rank that has almost no fronts of its own and may become a slave of others.
constexpr Count kLeastShareBytes = Count{64} << 20;

/// A limit that leaves nothing; 0 would be no limit.
constexpr Count kNoMemoryIsLeft = 1;

}  // namespace frond
