// SPDX-License-Identifier: BSD-3-Clause
// Bounds on the memory that the system lets a process take, each read from the system's files.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

constexpr Count kNoBound = std::numeric_limits<Count>::max();

/// What counts against a bound.
enum class MemoryKind {
  resident,  ///< pages that are in use
  mapped     ///< all that a process has requested, used or not
};

struct MemoryBound {
  Count bytes = kNoBound;  ///< that may still be taken; never negative
  std::string holder;      ///< what sets the bound, as the subject of a sentence: "the control group /a/b"
  std::string setting;     ///< the setting behind it: "memory.max"
  std::string source;      ///< one word, the same for all processes that share the memory; empty: this process alone
  MemoryKind kind = MemoryKind::resident;
};

/// Limits of setrlimit, of which a process has used a part; kNoBound: no limit.
struct ProcessLimits {
  Count address_space = kNoBound;
  Count data = kNoBound;
};

/// Returns the limits of this process.
[[nodiscard]] ProcessLimits process_limits();

/// Returns all bounds of this process: the machine's available memory; for its own control group and every ancestor, of both
/// versions, the limit minus what is used and cannot be reclaimed at once; what is left of `limits`; and the machine's commit limit
/// where it does not overcommit. `root` is the folder of proc and the control groups. A missing or malformed file sets no bound.
/// Swap space does not count.
[[nodiscard]] std::vector<MemoryBound> memory_bounds(const ProcessLimits& limits = process_limits(),
                                                     const std::filesystem::path& root = "/");

}  // namespace frond
