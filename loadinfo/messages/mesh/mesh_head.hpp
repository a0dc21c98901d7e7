// SPDX-License-Identifier: BSD-3-Clause
// The head of each message of a mesh: its sender and its context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace frond {

struct MeshHead {
  std::uint64_t token = 0;    ///< of the run
  std::uint64_t context = 0;  ///< of the communicating ranks
  std::int64_t from = 0;      ///< a rank
};

/// Returns the head of a message, or nothing if the message does not belong to the run with this token and this many ranks.
[[nodiscard]] inline std::optional<MeshHead> read_head(std::span<const std::byte> message, std::uint64_t token,
                                                       std::int64_t num_ranks) {
  MeshHead head;
  if (message.size() < sizeof(MeshHead)) {
    return std::nullopt;
  }
  std::memcpy(&head, message.data(), sizeof(MeshHead));
  const bool counts = head.token == token && head.from >= 0 && head.from < num_ranks;
  return counts ? std::optional(head) : std::nullopt;
}

}  // namespace frond
