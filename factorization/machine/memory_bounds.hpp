// SPDX-License-Identifier: BSD-3-Clause
// What the system lets a process take: each bound by itself, as the system's files say.
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
  mapped     ///< all that a process has asked for, used or not
};

struct MemoryBound {
  Count bytes = kNoBound;  ///< that may still be taken; never negative
  std::string holder;      ///< what sets the bound, as the subject of a sentence: "the control group /a/b"
  std::string setting;     ///< by what: "memory.max"
  std::string source;      ///< one word, the same for all processes that take from the same memory; empty: this process alone
  MemoryKind kind = MemoryKind::resident;
};

/// setrlimit's, of which a process has used a part; kNoBound: none.
struct ProcessLimits {
  Count address_space = kNoBound;
  Count data = kNoBound;
};

/// Of this process.
[[nodiscard]] ProcessLimits process_limits();

/// All bounds of this process: the machine's available memory; for its own control group and every ancestor, of both versions, the
/// limit minus what is used and cannot be reclaimed at once; what is left of `limits`; and the machine's limit of commitments where
/// it does not overcommit. `root` is the folder in which proc and the control groups lie. A file that is missing or
/// malformed bounds nothing. Swap space does not count.
[[nodiscard]] std::vector<MemoryBound> memory_bounds(const ProcessLimits& limits = process_limits(),
                                                     const std::filesystem::path& root = "/");

}  // namespace frond
