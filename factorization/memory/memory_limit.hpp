// SPDX-License-Identifier: BSD-3-Clause
// How much memory a factorization may take where nobody says: what there is, less what is kept free for all else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"

namespace frond {

/// For factors and active memory together.
struct MemoryLimit {
  Count bytes = 0;       ///< 0: none
  std::string reason{};  ///< what sets it, as the subject of a sentence; empty: the user

  /// How messages go on before the number: "the limit is", "the control group /a/b (memory.max, 300 MiB kept free) leaves only".
  [[nodiscard]] std::string whose() const { return reason.empty() ? "the limit is" : reason + " leaves only"; }
};

/// What one of several processes brings in where they divide what they share.
struct MemoryClaim {
  Count predicted_bytes = 0;  ///< for factors and active memory
  Count other_resident = 0;   ///< that it may use beside them
  Count other_mapped = 0;     ///< that it will map beside them
  std::vector<MemoryBound> bounds{};
};

/// The claim of this process, as matters stand, for a factorization by `num_threads` threads, alone or with other processes.
[[nodiscard]] MemoryClaim claim_memory(Count predicted_bytes, int num_threads, bool has_partners);

/// The least share of process `mine` in its bounds. What is kept free of a bound is what its processes will map beside their
/// factorizations, where that counts against it, and of what remains some part and what they may use beside, but never more
/// than half of it. The rest is divided by what is predicted, but each process
/// gets kLeastShareBytes at least, or an equal part if there is not that much. Of a bound that processes share the value counts
/// that the first of them has brought in.
[[nodiscard]] MemoryLimit share_memory(std::span<const MemoryClaim> claims, std::size_t mine);

/// The limit of a process by itself, as matters stand: with fewer threads if there is no room to map what all of them need.
[[nodiscard]] MemoryLimit find_memory_limit(int num_threads);

/// Enough for the messages of a rank that has next to no fronts of its own and may become a slave of others.
constexpr Count kLeastShareBytes = Count{64} << 20;

/// A limit that leaves nothing; 0 would be no limit.
constexpr Count kNoMemoryIsLeft = 1;

}  // namespace frond
