// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks that expect each other's calls, in the callers' memory; the calls sleep while they wait.
#pragma once

#include <cstddef>
#include <span>

#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Returns when the bytes are on their way and may be overwritten. `to` is another rank, which calls receive().
inline void send(const Communicator& ranks, Rank to, std::span<const std::byte> bytes) { ranks.carrier().send(to, bytes); }

/// Replaces the first bytes by those of the next message that `from` sends, and returns their number; there must be room.
[[nodiscard]] inline Count receive(const Communicator& ranks, Rank from, std::span<std::byte> bytes) {
  return ranks.carrier().receive(from, bytes);
}

}  // namespace frond
